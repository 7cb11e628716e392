// Made by `python -m clients.wire.typescript`; tests/wire/test_typescript.py holds it to the wire.

export type Sight = "seat" | "board" | "meter";

export type Mode = "casual" | "daily" | "practice" | "race";

export type Status = "playing" | "stuck" | "won" | "lost" | "resigned" | "out_of_time";

export type Result = "won" | "lost" | "resigned" | "out_of_time";

export type RefusalCode =
  | "already_played"
  | "bad_credentials"
  | "bad_message"
  | "bad_move"
  | "command_reused"
  | "conflict"
  | "day_not_open"
  | "game_over"
  | "illegal_move"
  | "internal"
  | "name_taken"
  | "not_found"
  | "not_your_seat"
  | "nothing_to_take_back"
  | "rate_limited"
  | "spoiler_embargo"
  | "stale_version"
  | "take_back_revealed"
  | "too_many"
  | "unauthorized"
  | "unavailable";

export type PileView = (string | number)[];

export type Piles = { [name: string]: PileView };

/** Something happened that one may not see: only its version, so that a gap always means loss. */
export interface Advanced {
  type: "advanced";
  game: string;
  version: number;
}

/** A stretch of a board, best first, after `offset` other places; `total` are all, `you` is one's own place. */
export interface Board {
  board: string;
  total: number;
  offset: number;
  entries: BoardEntry[];
  you?: BoardEntry;
}

/** Runs have finished: the places that changed by them, best first, as they are now; at most once a second. */
export interface BoardChanged {
  type: "board_changed";
  board: string;
  total: number;
  entries: BoardEntry[];
}

/** A player's place on a board; equals share a rank. */
export interface BoardEntry {
  rank: number;
  player: Player;
  moves: number;
  milliseconds: number;
  score?: number;
  game?: string;
  result?: Result;
  points?: number;
  runs?: number;
}

/** One's bots, by their names. */
export interface Bots {
  bots: Player[];
}

/** The player asked to be shown the deal while playing it: the run is not ranked any more. */
export interface ChallengeSpoiled {
  type: "challenge_spoiled";
  game: string;
  version: number;
  can_take_back?: boolean;
}

/** The player, now with a name. */
export interface Claimed {
  player: Player;
}

/** A name and its password: to sign in, or to claim the name. */
export interface Credentials {
  name: string;
  password: string;
}

/** Some days, latest first. */
export interface Dailies {
  dailies: Daily[];
}

/** One day's card. Runs begin from `opens_at` to `ends_at`; at `closes_at` secret and runs become public. */
export interface Daily {
  day: string;
  commitment: string;
  state: "announced" | "open" | "closed";
  opens_at: number;
  ends_at: number;
  closes_at: number;
  deals: DailyDeal[];
  secret?: string;
  streak?: number;
}

/** One deal of a day's card; `runs` is how many have begun their one attempt at it. */
export interface DailyDeal {
  slot: number;
  level: string;
  rules: string;
  deal: string;
  runs: number;
  your_game?: string;
  your_status?: Status;
  spoiled?: boolean;
}

/** Progress in a day's deals: with the request's `id` the furthest runs and one's own; then changes, each second. */
export interface DayProgress {
  type: "day_progress";
  day: string;
  games: Meter[];
  id?: string;
}

/** How a game is dealt, for whoever deals it again from a seed: `docs/record.md` says what each step means. */
export interface DealPlan {
  pack: string[];
  counters: { [name: string]: number };
  steps: string[];
  whole: boolean;
  down: string[];
}

/** The secret of a finished game's deal: it fits the commitment, and the cards follow from it. */
export interface DealRevealed {
  type: "deal_revealed";
  game: string;
  version: number;
  secret: string;
}

/** A request was carried out, and there is nothing more to say about it. */
export interface Done {
  type: "done";
  id: string;
}

/** Begin one's attempt at a day's deal, or find it; with `practice`, a run that does not count. */
export interface EnterDaily {
  practice?: boolean;
}

/** The players one follows, by their names. */
export interface Friends {
  friends: Player[];
}

/** A game that was begun or found. */
export interface Game {
  game: GameCard;
}

/** What a game is, apart from its cards. */
export interface GameCard {
  id: string;
  rules: string;
  rules_version: number;
  player: Player;
  deal: string;
  mode: Mode;
  ranked: boolean;
  status: Status;
  started_at: number;
  commitment: string;
  day?: string;
  slot?: number;
  race?: string;
}

/** A game is over; of every wait in it at most a minute is `active`. */
export interface GameFinished {
  type: "game_finished";
  game: string;
  version: number;
  result: Result;
  score: number;
  moves: number;
  milliseconds: number;
  active: number;
  command?: string;
}

/** A group one is in: it has every board for itself. */
export interface Group {
  id: string;
  name: string;
  token: string;
  members: Player[];
}

/** The groups one is in, by their names. */
export interface Groups {
  groups: Group[];
}

/** Join the group whose token this is. */
export interface JoinGroup {
  token: string;
}

/** Take a place in a race, with the token of its link if it is neither open nor kept for one. */
export interface JoinRace {
  nonce: string;
  token?: string;
}

/** What an account keeps; null for one that was never told. */
export interface KeptSettings {
  settings: Settings | null;
}

/** Where every pile lies: enough to draw any game. */
export interface Layout {
  piles: PilePlace[];
  width: number;
  height: number;
}

/** A game that is being played now. */
export interface LiveGame {
  game: string;
  deal: string;
  player: Player;
  home: number;
  score: number;
  moves: number;
  milliseconds: number;
  status: Status;
  ranked: boolean;
  rules: string;
  day?: string;
}

/** The games that are being played now. */
export interface LiveGames {
  games: LiveGame[];
}

/** One hash over the log: over every stream whose secret had been revealed when the day began, at that moment. */
export interface LogRoot {
  day: string;
  at: number;
  streams: number;
  root: string;
}

/** How far a game is: all that others may know of a deal they have yet to play. */
export interface Meter {
  game: string;
  deal: string;
  player: Player;
  home: number;
  score: number;
  moves: number;
  milliseconds: number;
  status: Status;
  ranked: boolean;
}

/** A move was played, with everything that followed of itself. */
export interface MovePlayed {
  type: "move_played";
  game: string;
  version: number;
  piles: Piles;
  counters: { [name: string]: number };
  score: number;
  home: number;
  moves: number;
  status: Status;
  at: number;
  command?: string;
  legal?: string[];
  can_take_back?: boolean;
  move: string;
  effects: string[];
}

/** The last move was taken back. */
export interface MoveTakenBack {
  type: "move_taken_back";
  game: string;
  version: number;
  piles: Piles;
  counters: { [name: string]: number };
  score: number;
  home: number;
  moves: number;
  status: Status;
  at: number;
  command?: string;
  legal?: string[];
  can_take_back?: boolean;
}

/** Make an account for a program to play under. */
export interface NewBot {
  name: string;
}

/** Ask for a sealed deal. */
export interface NewDeal {
  rules: string;
}

/** Begin a game with a sealed deal and one's own nonce. */
export interface NewGame {
  deal: string;
  nonce: string;
}

/** Make a group, and be its first member. */
export interface NewGroup {
  name: string;
}

/** The password one has, and the one in its place. */
export interface NewPassword {
  old: string;
  new: string;
}

/** Open a race and take the first place in it. */
export interface NewRace {
  rules: string;
  nonce: string;
  size?: number;
  seconds?: number;
  countdown?: number;
  open?: boolean;
}

/** How a finished run went, to race it: milliseconds since the deal, cards home and score, whenever they changed. */
export interface Pace {
  game: GameCard;
  points: [number, number, number][];
}

/** Where one pile lies, in card widths and heights; `step`, how far apart its cards lie, is a part of a card. */
export interface PilePlace {
  name: string;
  group: string;
  role: "stock" | "waste" | "foundation" | "tableau" | "reserve" | "discard";
  x: number;
  y: number;
  turn: number;
  spread: "none" | "down" | "right" | "left" | "up";
  step?: number;
  only_filled?: boolean;
  cards?: number[][];
}

/** Ask for a `pong`. */
export interface Ping {
  type: "ping";
  id: string;
}

/** Play a move in the position after `version`. */
export interface Play {
  type: "play";
  id: string;
  game: string;
  version: number;
  move: string;
}

/** Somebody who plays. A guest has not claimed a name yet; the name then is one the server made up. */
export interface Player {
  id: string;
  name: string;
  guest: boolean;
  bot?: boolean;
}

/** The answer to `ping`, with the server's time. */
export interface Pong {
  type: "pong";
  id: string;
  at: number;
}

/** How many watch a game, and who; at most once a second. */
export interface Presence {
  type: "presence";
  game: string;
  watchers: number;
  names?: string[];
}

/** Who somebody is here, since when, and how they have fared in games that are over; the latest of these. */
export interface Profile {
  player: Player;
  since: number;
  streak: number;
  best_streak: number;
  played: number;
  won: number;
  by_game: RulesTally[];
  recent: RecentGame[];
}

/** A race as it stands: told whole at every change, of the meters at most once a second. */
export interface Race {
  type: "race";
  race: string;
  rules: string;
  state: "open" | "abandoned" | "countdown" | "running" | "over";
  size: number;
  seconds: number;
  countdown: number;
  open: boolean;
  commitment: string;
  opened_at: number;
  version: number;
  at: number;
  racers: Racer[];
  invited: Player[];
  host?: string;
  id?: string;
  starts_at?: number;
  ends_at?: number;
  nonce?: string;
  secret?: string;
  rematch?: string;
  token?: string;
}

/** Somebody in a race: the nonce, from the start how far the game is, and at the end the rank; equals share one. */
export interface Racer {
  player: Player;
  nonce: string;
  meter?: Meter;
  rank?: number;
}

/** The open races that one may join, the latest first. */
export interface Races {
  races: Race[];
}

/** A game that is over, and how it ended. */
export interface RecentGame {
  game: GameCard;
  score: number;
  moves: number;
  milliseconds: number;
}

/** All it takes to prove a game offline: `cadogan verify`. */
export interface Record {
  format: "cadogan record 1";
  game: string;
  stream: string;
  secret: string;
  nonce: string;
  commitment: string;
  events: RecordedEvent[];
}

/** One event as it stands in the log; `hash` covers it and all before it. */
export interface RecordedEvent {
  version: number;
  type: string;
  schema: number;
  data: { [name: string]: unknown };
  recorded_at: number;
  hash: string;
}

/** Why a request was refused: a stable code, and a sentence for people; `said` where that has values in it. */
export interface Refusal {
  code: RefusalCode;
  message: string;
  said?: Said;
  version?: number;
  retry_after?: number;
}

/** A request was refused: a stable code, and a sentence for people; `said` where that has values in it. */
export interface Refused {
  type: "refused";
  code: RefusalCode;
  message: string;
  id?: string;
  said?: Said;
  version?: number;
  retry_after?: number;
}

/** Open the next race of the same people, or join the one that another of them has opened. */
export interface Rematch {
  nonce: string;
}

/** A game from its deal to where it is: the first view, and every message since. */
export interface Replay {
  dealt: View;
  messages: (MovePlayed | MoveTakenBack | GameFinished | DealRevealed | ChallengeSpoiled)[];
}

/** End one's game here. */
export interface Resign {
  type: "resign";
  id: string;
  game: string;
  version: number;
}

/** One set of rules, in a list. */
export interface RulesCard {
  slug: string;
  name: string;
  summary: string;
  packs: number;
  rules_version: number;
}

/** Every set of rules, by its name. */
export interface RulesList {
  rules: RulesCard[];
}

/** One set of rules whole: its page for people (HTML), its layout and its deal. */
export interface RulesPage {
  slug: string;
  name: string;
  summary: string;
  packs: number;
  rules_version: number;
  layout: Layout;
  deal: DealPlan;
  colours: 2 | 4;
  page: string;
  language?: string;
  maximum: number;
}

/** How somebody has fared with one set of rules, in games that are over. */
export interface RulesTally {
  rules: string;
  played: number;
  won: number;
  best_score: number;
}

/** A sentence in English with places, `{pile} is empty`, and what stands in them: to say it in another language. */
export interface Said {
  text: string;
  values?: { [name: string]: string | number | Said };
}

/** A deal that is fixed but for the player's nonce, and its commitment: SHA-256 over its secret. */
export interface SealedDeal {
  deal: string;
  commitment: string;
  rules: string;
}

/** Who one is; null for nobody. */
export interface Session {
  player: Player | null;
}

/** How a player likes the page; what is left out is as it would be for anybody. */
export interface Settings {
  language?: string;
  theme?: "system" | "light" | "dark";
  table?: "green" | "blue" | "wine" | "slate";
  faces?: "standard" | "large";
  colours?: "game" | "two" | "four";
  hand?: "right" | "left";
  motion?: "full" | "quick" | "off";
  one_tap?: boolean;
  finish?: boolean;
  clock?: boolean;
  score?: boolean;
  notation?: "words" | "short";
  game_colours?: { [name: string]: "two" | "four" };
}

/** One's results of a day, as text to send to others: how far and how fast, and nothing of any card. */
export interface Share {
  text: string;
}

/** A new session. Browsers get the token as a cookie too; programs send it as `Authorization: Bearer`. */
export interface SignedIn {
  player: Player;
  token: string;
}

/** A deal that the asker may see in the games of others, and of which no run of the asker's counts any more. */
export interface Spoiled {
  deal: DailyDeal;
}

/** Follow a game: with `since`, the messages after that version (or a fresh view); without, a view. */
export interface Subscribe {
  type: "subscribe";
  id: string;
  game: string;
  since?: number;
  sight?: Sight;
}

/** Take the last move back. */
export interface TakeBack {
  type: "take_back";
  id: string;
  game: string;
  version: number;
}

/** Follow a game no longer. */
export interface Unsubscribe {
  type: "unsubscribe";
  id: string;
  game: string;
}

/** Follow a board no longer. */
export interface UnwatchBoard {
  type: "unwatch_board";
  id: string;
  board: string;
}

/** Follow a day's progress no longer. */
export interface UnwatchDay {
  type: "unwatch_day";
  id: string;
  day: string;
}

/** Follow a race no longer. */
export interface UnwatchRace {
  type: "unwatch_race";
  id: string;
  race: string;
}

/** A game as one may see it now. Piles, counters and legal moves are there as far as `sight` allows. */
export interface View {
  type: "view";
  game: GameCard;
  sight: Sight;
  version: number;
  score: number;
  home: number;
  moves: number;
  status: Status;
  watchers: number;
  clock: number;
  id?: string;
  piles?: Piles;
  counters?: { [name: string]: number };
  legal?: string[];
  can_take_back?: boolean;
  names?: string[];
  active?: number;
}

/** Follow the changes of a board. */
export interface WatchBoard {
  type: "watch_board";
  id: string;
  board: string;
}

/** Follow everybody's progress in a day's deals. */
export interface WatchDay {
  type: "watch_day";
  id: string;
  day: string;
}

/** Follow a race: who is in it, when it starts, how far everybody is. */
export interface WatchRace {
  type: "watch_race";
  id: string;
  race: string;
}

export type ClientMessage =
  | Subscribe
  | Unsubscribe
  | Play
  | TakeBack
  | Resign
  | WatchDay
  | UnwatchDay
  | WatchRace
  | UnwatchRace
  | WatchBoard
  | UnwatchBoard
  | Ping;

export type ServerMessage =
  | View
  | MovePlayed
  | MoveTakenBack
  | GameFinished
  | DealRevealed
  | ChallengeSpoiled
  | Advanced
  | Presence
  | DayProgress
  | Race
  | BoardChanged
  | Done
  | Pong
  | Refused;

/** What endpoints take, values of the address and a body, and what they answer. */
export interface Endpoints {
  "POST /session/guest": {
    takes: [];
    answers: SignedIn;
  };
  "POST /session": {
    takes: [{}, Credentials];
    answers: SignedIn;
  };
  "GET /session": {
    takes: [];
    answers: Session;
  };
  "DELETE /session": {
    takes: [];
    answers: Session;
  };
  "DELETE /sessions": {
    takes: [];
    answers: Session;
  };
  "POST /account": {
    takes: [{}, Credentials];
    answers: Claimed;
  };
  "PUT /account/password": {
    takes: [{}, NewPassword];
    answers: Session;
  };
  "GET /settings": {
    takes: [];
    answers: KeptSettings;
  };
  "PUT /settings": {
    takes: [{}, Settings];
    answers: KeptSettings;
  };
  "GET /rules": {
    takes: [{ language?: string }];
    answers: RulesList;
  };
  "GET /rules/{slug}": {
    takes: [{ slug: string; language?: string }];
    answers: RulesPage;
  };
  "POST /deals": {
    takes: [{}, NewDeal];
    answers: SealedDeal;
  };
  "POST /games": {
    takes: [{}, NewGame];
    answers: Game;
  };
  "GET /games/live": {
    takes: [];
    answers: LiveGames;
  };
  "GET /games/{id}": {
    takes: [{ id: string }];
    answers: View;
  };
  "GET /games/{id}/replay": {
    takes: [{ id: string }];
    answers: Replay;
  };
  "GET /games/{id}/record": {
    takes: [{ id: string }];
    answers: Record;
  };
  "GET /dailies": {
    takes: [{ before?: string; limit?: number }];
    answers: Dailies;
  };
  "GET /dailies/{day}": {
    takes: [{ day: string }];
    answers: Daily;
  };
  "POST /dailies/{day}/deals/{slot}/games": {
    takes: [{ day: string; slot: string }, EnterDaily];
    answers: Game;
  };
  "POST /dailies/{day}/deals/{slot}/spoil": {
    takes: [{ day: string; slot: string }];
    answers: Spoiled;
  };
  "GET /dailies/{day}/share": {
    takes: [{ day: string }];
    answers: Share;
  };
  "GET /players/{id}": {
    takes: [{ id: string }];
    answers: Profile;
  };
  "GET /boards/{board}": {
    takes: [{ board: string; offset?: number; limit?: number; around?: string; among?: string; bots?: number }];
    answers: Board;
  };
  "GET /friends": {
    takes: [];
    answers: Friends;
  };
  "PUT /friends/{name}": {
    takes: [{ name: string }];
    answers: Friends;
  };
  "DELETE /friends/{name}": {
    takes: [{ name: string }];
    answers: Friends;
  };
  "GET /groups": {
    takes: [];
    answers: Groups;
  };
  "POST /groups": {
    takes: [{}, NewGroup];
    answers: Group;
  };
  "POST /groups/join": {
    takes: [{}, JoinGroup];
    answers: Group;
  };
  "DELETE /groups/{id}/members/me": {
    takes: [{ id: string }];
    answers: Groups;
  };
  "POST /bots": {
    takes: [{}, NewBot];
    answers: SignedIn;
  };
  "GET /bots": {
    takes: [];
    answers: Bots;
  };
  "DELETE /bots/{id}": {
    takes: [{ id: string }];
    answers: Bots;
  };
  "GET /games/{id}/pace": {
    takes: [{ id: string }];
    answers: Pace;
  };
  "POST /races": {
    takes: [{}, NewRace];
    answers: Race;
  };
  "GET /races": {
    takes: [];
    answers: Races;
  };
  "GET /races/{id}": {
    takes: [{ id: string }];
    answers: Race;
  };
  "POST /races/{id}/join": {
    takes: [{ id: string }, JoinRace];
    answers: Race;
  };
  "POST /races/{id}/leave": {
    takes: [{ id: string }];
    answers: Race;
  };
  "POST /races/{id}/start": {
    takes: [{ id: string }];
    answers: Race;
  };
  "POST /races/{id}/rematch": {
    takes: [{ id: string }, Rematch];
    answers: Race;
  };
  "GET /root": {
    takes: [];
    answers: LogRoot;
  };
}
