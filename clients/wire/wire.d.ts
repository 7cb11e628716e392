// Made by `python -m clients.wire.typescript`; tests/wire/test_typescript.py compares it with the wire contract.

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
  | "confirmation_needed"
  | "conflict"
  | "day_not_open"
  | "forbidden"
  | "game_over"
  | "illegal_move"
  | "internal"
  | "name_taken"
  | "no_hints"
  | "not_found"
  | "not_your_seat"
  | "nothing_to_take_back"
  | "rate_limited"
  | "spoiler_embargo"
  | "stale_version"
  | "suspended"
  | "take_back_revealed"
  | "too_many"
  | "unauthorized"
  | "unavailable";

export type PileView = (string | number)[];

export type Piles = { [name: string]: PileView };

/** An event that the client may not see. Its version is sent, so that a missing version means a lost message. */
export interface Advanced {
  type: "advanced";
  game: string;
  version: number;
}

/** The analysis of a finished game, as far as it is. */
export interface Analysis {
  game: string;
  state: "none" | "waiting" | "working" | "done";
  solver: number;
  nodes: number;
  verdicts: ("won" | "lost" | "unknown" | null)[];
  losses: number[];
  choices: Choices[];
  ahead?: number;
}

/** The analysis of a game has come further; sent at most once a second. With `id` it answers `watch_analysis`. */
export interface AnalysisChanged {
  type: "analysis_changed";
  analysis: Analysis;
  version: number;
  id?: string;
}

/** Ask for a move that leads somewhere in the position at `version`. No hints in ranked games and races. */
export interface AskForHint {
  type: "ask_for_hint";
  id: string;
  game: string;
  version: number;
}

/** Ask whether the present position of one's own game can still be won: in games that count for nothing. */
export interface AskIfWinnable {
  type: "ask_if_winnable";
  id: string;
  game: string;
  version: number;
}

/** Ban a player for good, or end the ban. */
export interface Ban {
  reason: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
  note?: string;
  banned: boolean;
}

/** Become the first host, with the code that the server has printed. */
export interface BecomeHost {
  code: string;
}

/** Some entries of a leaderboard, the best first, after the first `offset` entries. `total` counts all entries. */
export interface Board {
  board: string;
  total: number;
  offset: number;
  entries: BoardEntry[];
  you?: BoardEntry;
}

/** Runs have finished: the entries that they changed, the best first; sent at most once a second. */
export interface BoardChanged {
  type: "board_changed";
  board: string;
  total: number;
  entries: BoardEntry[];
}

/** A player's place on a leaderboard. Equal players share a rank. */
export interface BoardEntry {
  rank: number;
  player: Player;
  moves: number;
  milliseconds: number;
  score?: number;
  game?: string;
  result?: Result;
  active?: number;
  points?: number;
  runs?: number;
}

/** The asker's bots, sorted by name. */
export interface Bots {
  bots: Player[];
}

/** What is to be known about some groups of piles. `groups` are their names; without one it is about the table. */
export interface BriefLine {
  groups: string[];
  sentences: Said[];
}

/** The player has asked to see the deal while playing it. The run is not ranked any more. */
export interface ChallengeSpoiled {
  type: "challenge_spoiled";
  game: string;
  version: number;
  can_take_back?: boolean;
}

/** Make a player a host or a moderator, or, with null, an ordinary player again. */
export interface ChangeRole {
  reason: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
  note?: string;
  role: "moderator" | "host" | null;
}

/** What the legal moves of one position lead to: how many keep the win, lose it, or were not decided. */
export interface Choices {
  version: number;
  keeping: number;
  losing: number;
  unknown: number;
}

/** One of two runs that are compared. */
export interface ComparedRun {
  game: string;
  result: Result;
  score: number;
  moves: number;
  version: number | null;
  verdict: "won" | "lost" | "unknown" | null;
  losses: number[];
}

/** Two runs of one deal: how long they went together, and what each made of it. */
export interface Comparison {
  common_moves: number;
  verdict: "won" | "lost" | "unknown" | null;
  runs: ComparedRun[];
}

/** The password of who is signed in, entered again. */
export interface ConfirmPassword {
  password: string;
}

/** A name and its password, to sign in or to claim the name. */
export interface Credentials {
  name: string;
  password: string;
}

/** Some days, the latest first. */
export interface Dailies {
  dailies: Daily[];
  missed?: string[];
}

/** One day with its deals. Runs can begin from `opens_at` to `ends_at` and go on until `closes_at`. */
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
  missed?: boolean;
}

/** One deal of a day. `runs` counts the players who have begun their ranked attempt at it. */
export interface DailyDeal {
  slot: number;
  level: string;
  rules: string;
  deal: string;
  runs: number;
  your_game?: string;
  your_status?: Status;
  spoiled?: boolean;
  search?: DealSearch;
  seal?: string;
  candidate?: number;
  par?: number;
}

/** Progress in the deals of a day. The answer, with the request's `id`, has the best runs and the asker's own. */
export interface DayProgress {
  type: "day_progress";
  day: string;
  games: Meter[];
  id?: string;
}

/** The steps of a deal, to repeat it from a seed. `docs/record.md` explains each step. */
export interface DealPlan {
  pack: string[];
  counters: { [name: string]: number };
  steps: string[];
  whole: boolean;
  down: string[];
}

/** The secret of a finished game's deal. It matches the commitment, and all cards follow from it. */
export interface DealRevealed {
  type: "deal_revealed";
  game: string;
  version: number;
  secret: string;
}

/** The search for a deal that can be won: the version of the solver, and its nodes for each candidate. */
export interface DealSearch {
  solver: number;
  budget: number;
}

/** A request was carried out; it has no other answer. */
export interface Done {
  type: "done";
  id: string;
}

/** Begin or continue the ranked attempt at a deal of a day; with `practice`, begin an unranked run. */
export interface EnterDaily {
  practice?: boolean;
}

/** Who may come in. Who has an account, or is a guest already, may always. */
export interface Entry {
  accounts: "open" | "invitation" | "closed";
  guests: boolean;
}

/** The players whom the asker follows, sorted by name. */
export interface Friends {
  friends: Player[];
}

/** A game that was begun, or that existed already. */
export interface Game {
  game: GameCard;
}

/** A game without its cards. */
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
  origin?: Origin;
}

/** A game is over. `active` counts at most one minute of every pause between moves. */
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

/** How a finished game ended, and how it compares. It tells nothing of its cards. */
export interface GameResult {
  game: GameCard;
  score: number;
  maximum: number;
  moves: number;
  milliseconds: number;
  active: number;
  streak: number;
  points?: number;
  place?: Place;
  day_place?: Place;
  friends_place?: Place;
  past?: PastGames;
  best_run?: string;
}

/** What the search found out about one game. */
export interface GameWinnability {
  slug: string;
  name: string;
  level: string;
  rules_version: number;
  deals: number;
  budget: number;
  won: Verdicts;
  lost: Verdicts;
  unknown: Verdicts;
  can_be_won: Interval;
  nodes: number;
  nodes_per_second?: number;
  seconds?: number;
  moves?: number;
}

/** A group of which the asker is a member. Every leaderboard can be limited to a group. */
export interface Group {
  id: string;
  name: string;
  token: string;
  members: Player[];
}

/** The groups of which the asker is a member, sorted by name. */
export interface Groups {
  groups: Group[];
}

/** A legal move that leads somewhere in the position at `version`; without `move`, none was found. */
export interface Hint {
  type: "hint";
  id: string;
  game: string;
  version: number;
  move?: string;
}

/** What the first page shows, in one answer: each part is also at an address of its own. */
export interface Home {
  rules: RulesCard[];
  live: LiveGame[];
  coming: Daily[];
  races: Race[];
  today?: Daily;
  unfinished?: UnfinishedGame[];
  sample?: SampleTable;
}

/** Something that a host or a moderator has done; without `by`, at the command line of the server. */
export interface HouseAct {
  version: number;
  at: number;
  act: "role_changed" | "renamed" | "suspended" | "banned" | "restored" | "signed_out" | "access_reset" | "entry_changed" | "invited" | "invitation_ended";
  by?: Player;
  player?: Player;
  code?: string;
  role?: "moderator" | "host";
  until?: number;
  accounts?: "open" | "invitation" | "closed";
  guests?: boolean;
  uses?: number;
  reason?: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
  note?: string;
}

/** What hosts and moderators have done, the latest first. */
export interface HouseLog {
  acts: HouseAct[];
  more: boolean;
}

/** A player as hosts and moderators see them. Of somebody who is banned, `suspended_until` is left out. */
export interface HousePlayer {
  player: Player;
  created_at: number;
  role?: "moderator" | "host";
  suspended_until?: number;
  banned?: boolean;
}

/** A page of the players, by name; guests, who have no name of their own, come last. */
export interface HousePlayers {
  players: HousePlayer[];
  more: boolean;
}

/** Between which shares the true one lies, with 95 % confidence. */
export interface Interval {
  low: number;
  high: number;
}

/** An invitation that has not ended, without its link. */
export interface Invitation {
  id: string;
  uses: number;
  created_at: number;
  expires_at: number;
}

/** The invitations that have not ended, the latest first. */
export interface Invitations {
  invitations: Invitation[];
}

/** Join the group that has this token. */
export interface JoinGroup {
  token: string;
}

/** Join a race. The token of its link is needed if the race is not open and the asker is not invited. */
export interface JoinRace {
  nonce: string;
  token?: string;
}

/** The settings that are stored with an account; null if none were stored. */
export interface KeptSettings {
  settings: Settings | null;
}

/** The places of all piles: enough to draw any game. */
export interface Layout {
  piles: PilePlace[];
  width: number;
  height: number;
  room?: number[];
}

/** Other layouts of the same piles: for a tall table (a phone upright), and for a short wide one (on its side). */
export interface Layouts {
  tall: Layout;
  wide: Layout;
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

/** One hash of the log: of every stream whose secret was revealed before the day began, as it was at that moment. */
export interface LogRoot {
  day: string;
  at: number;
  streams: number;
  root: string;
}

/** A new invitation. `token` is its link's code; the server stores only a hash of it. */
export interface MadeInvitation {
  id: string;
  uses: number;
  created_at: number;
  expires_at: number;
  token: string;
}

/** A new personal token. The server stores only a hash of `token`: nobody can show it again. */
export interface MadeToken {
  id: string;
  name: string;
  scopes: ("read" | "play")[];
  created_at: number;
  expires_at: number;
  token: string;
}

/** The progress of a game: all that players may know of a deal which they have not finished themselves. */
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

/** A move was played, with everything that followed from it. */
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

/** The name and the password of a new account; `invitation` is the code of a link, where one is needed. */
export interface NewAccount {
  name: string;
  password: string;
  invitation?: string;
}

/** Create an account for a program. */
export interface NewBot {
  name: string;
}

/** Ask for a sealed deal. */
export interface NewDeal {
  rules: string;
}

/** Begin a game with a sealed deal and the player's nonce. */
export interface NewGame {
  deal: string;
  nonce: string;
}

/** Create a group with the asker as its first member. */
export interface NewGroup {
  name: string;
}

/** Make a link with which some people may create an account until it ends. */
export interface NewInvitation {
  uses?: number;
  days?: number;
}

/** The present password and the new one. */
export interface NewPassword {
  old: string;
  new: string;
}

/** Open a race and join it as its host. */
export interface NewRace {
  rules: string;
  nonce: string;
  size?: number;
  seconds?: number;
  countdown?: number;
  open?: boolean;
}

/** Create a personal token that ends after some days. No token may change the account. */
export interface NewToken {
  name: string;
  scopes: ("read" | "play")[];
  days?: number;
}

/** A link, shown once: the server stores only a hash of its code. `path` is that of the page it opens. */
export interface OneTimeLink {
  path: string;
  expires_at: number;
}

/** The position that a game was played on from: that of another game of the same deal, at this version. */
export interface Origin {
  game: string;
  version: number;
}

/** How a finished run progressed, to race against it. */
export interface Pace {
  game: GameCard;
  points: [number, number, number][];
}

/** The player whose password was changed, and the token of the new session. */
export interface PasswordChanged {
  player: Player | null;
  token: string;
}

/** A player's finished games by the same rules that ended before this one. */
export interface PastGames {
  played: number;
  won: number;
  best_score: number;
  mean_score: number;
}

/** A personal token, without the token itself. */
export interface PersonalToken {
  id: string;
  name: string;
  scopes: ("read" | "play")[];
  created_at: number;
  expires_at: number;
}

/** The asker's personal tokens that have not ended, the latest first. */
export interface PersonalTokens {
  tokens: PersonalToken[];
}

/** A small picture of a table after the deal: its size in card widths and heights, and what lies on it. */
export interface Picture {
  width: number;
  height: number;
  drawn: number[][];
}

/** The place of one pile: `x` in card widths, `y` in card heights. */
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

/** A place on a leaderboard of `total` players, of whom `behind` stand behind. Equal players share a rank. */
export interface Place {
  rank: number;
  total: number;
  behind: number;
}

/** Play a move in the position at `version`. */
export interface Play {
  type: "play";
  id: string;
  game: string;
  version: number;
  move: string;
}

/** Play on from a position of a finished game, in a new game for practice. `version` is that of the position. */
export interface PlayOn {
  version: number;
}

/** A player. A guest has not claimed a name yet and has a name that the server made. */
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

/** How many players watch a game, and who; sent at most once a second. */
export interface Presence {
  type: "presence";
  game: string;
  watchers: number;
  names?: string[];
}

/** A player, since when they play here, their results in finished games, and the latest of these games. */
export interface Profile {
  player: Player;
  since: number;
  streak: number;
  best_streak: number;
  played: number;
  won: number;
  by_game: RulesTally[];
  recent: RecentGame[];
  week: string;
  weeks: WeekTally[];
}

/** The present state of a race. It is sent whole at every change, but at most once a second for changed meters. */
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

/** A player in a race: the nonce, the progress once it runs, and at the end the rank. Equal racers share one. */
export interface Racer {
  player: Player;
  nonce: string;
  meter?: Meter;
  rank?: number;
}

/** The open races that the asker may join, the latest first. */
export interface Races {
  races: Race[];
}

/** A finished game and its result. */
export interface RecentGame {
  game: GameCard;
  score: number;
  moves: number;
  milliseconds: number;
}

/** Everything that is needed to verify a game offline, with `cadogan verify`. */
export interface Record {
  format: "cadogan record 1";
  game: string;
  stream: string;
  secret: string;
  nonce: string;
  commitment: string;
  events: RecordedEvent[];
}

/** One event of the log. `hash` covers this event and all before it. */
export interface RecordedEvent {
  version: number;
  type: string;
  schema: number;
  data: { [name: string]: unknown };
  recorded_at: number;
  hash: string;
}

/** Why a request was refused: a stable code and a sentence for people. */
export interface Refusal {
  code: RefusalCode;
  message: string;
  said?: Said;
  version?: number;
  retry_after?: number;
}

/** A request was refused: a stable code and a sentence for people. */
export interface Refused {
  type: "refused";
  code: RefusalCode;
  message: string;
  id?: string;
  said?: Said;
  version?: number;
  retry_after?: number;
}

/** Set a new password, with the code from the link of a host. */
export interface RegainAccess {
  code: string;
  password: string;
}

/** Open the next race of the same players, or join it if one of them has opened it. */
export interface Rematch {
  nonce: string;
}

/** Give a player another name, because the present one is offensive. */
export interface Rename {
  reason: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
  note?: string;
  name: string;
}

/** A game from its deal to its present state: the first view, and every message after it. */
export interface Replay {
  dealt: View;
  messages: (MovePlayed | MoveTakenBack | GameFinished | DealRevealed | ChallengeSpoiled)[];
}

/** End the game: resigned, or lost where no move is left (status `stuck`), because then it was played to the end. */
export interface Resign {
  type: "resign";
  id: string;
  game: string;
  version: number;
}

/** One set of rules, as an entry of a list. */
export interface RulesCard {
  slug: string;
  name: string;
  summary: string;
  packs: number;
  rules_version: number;
  maximum: number;
}

/** Every set of rules, sorted by name. */
export interface RulesList {
  rules: RulesCard[];
}

/** One set of rules in full: its page for people (HTML), its layout and its deal. */
export interface RulesPage {
  slug: string;
  name: string;
  summary: string;
  packs: number;
  rules_version: number;
  maximum: number;
  level: string;
  also_known_as: string[];
  layout: Layout;
  layouts?: Layouts;
  deal: DealPlan;
  colours: 2 | 4;
  page: string;
  aim: string;
  brief: BriefLine[];
  language?: string;
}

/** A player's results with one set of rules, in finished games. `maximum` is the highest possible score. */
export interface RulesTally {
  rules: string;
  played: number;
  won: number;
  best_score: number;
  mean_score: number;
  maximum: number;
}

/** An English sentence with placeholders, like `{pile} is empty`, and their values, to translate it. */
export interface Said {
  text: string;
  values?: { [name: string]: string | number | Said };
}

/** A table to look at: a deal of a game that nobody plays, as a person sees it. */
export interface SampleTable {
  rules: string;
  layout: Layout;
  piles: Piles;
}

/** A deal that is fixed except for the player's nonce, and its commitment: the SHA-256 of its secret. */
export interface SealedDeal {
  deal: string;
  commitment: string;
  rules: string;
}

/** The player who is signed in; null if nobody is. `role` is there for hosts and moderators. */
export interface Session {
  player: Player | null;
  role?: "moderator" | "host";
}

/** The settings of the web page. What is left out has its default. */
export interface Settings {
  language?: string;
  theme?: "system" | "light" | "dark";
  table?: "green" | "blue" | "wine" | "slate";
  faces?: "standard" | "large";
  design?: "pictures" | "simple" | "corners";
  backs?: "lattice" | "waves" | "stars" | "plain";
  colours?: "game" | "two" | "four";
  hand?: "right" | "left";
  motion?: "full" | "quick" | "off";
  one_tap?: boolean;
  finish?: boolean;
  sound?: boolean;
  clock?: boolean;
  score?: boolean;
  notation?: "words" | "short";
  game_colours?: { [name: string]: "two" | "four" };
}

/** The asker's results of a day as text to send to others. It names no card. */
export interface Share {
  text: string;
}

/** Every game, sorted by name. */
export interface Shelf {
  games: ShelfGame[];
}

/** One game on the shelf. */
export interface ShelfGame {
  slug: string;
  name: string;
  summary: string;
  packs: number;
  rules_version: number;
  maximum: number;
  level: string;
  also_known_as: string[];
  picture: Picture;
  minutes: number;
  measured: boolean;
  played: number;
  won: number;
}

/** A new session. Programs send its token as `Authorization: Bearer`; browsers also get it as a cookie. */
export interface SignedIn {
  player: Player;
  token: string;
}

/** A deal that the asker may now see in the games of others. The asker's own runs of it are not ranked any more. */
export interface Spoiled {
  deal: DailyDeal;
}

/** Subscribe to a game. Without `since` the answer is a view. */
export interface Subscribe {
  type: "subscribe";
  id: string;
  game: string;
  since?: number;
  sight?: Sight;
}

/** Suspend a player until a moment, or, with null, end the suspension. */
export interface Suspend {
  reason: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
  note?: string;
  until: number | null;
}

/** Take back the last move. */
export interface TakeBack {
  type: "take_back";
  id: string;
  game: string;
  version: number;
}

/** A game of one's own that can be continued. `changed_at` is when something happened in it last. */
export interface UnfinishedGame {
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
  mode: Mode;
  maximum: number;
  changed_at: number;
  race?: string;
}

/** One's own games that can be continued, the one played last first. */
export interface UnfinishedGames {
  games: UnfinishedGame[];
}

/** End the subscription to a game. */
export interface Unsubscribe {
  type: "unsubscribe";
  id: string;
  game: string;
}

/** Stop watching the analysis of a game. */
export interface UnwatchAnalysis {
  type: "unwatch_analysis";
  id: string;
  game: string;
}

/** Stop watching a leaderboard. */
export interface UnwatchBoard {
  type: "unwatch_board";
  id: string;
  board: string;
}

/** Stop watching a day. */
export interface UnwatchDay {
  type: "unwatch_day";
  id: string;
  day: string;
}

/** Stop watching a race. */
export interface UnwatchRace {
  type: "unwatch_race";
  id: string;
  race: string;
}

/** How many of the searched deals had this verdict, and which share of all deals that makes credible (Wilson). */
export interface Verdicts {
  low: number;
  high: number;
  deals: number;
}

/** A game as the client may see it now. Piles, counters and legal moves are there if `sight` allows. */
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

/** Watch the analysis of a finished game; the answer is the analysis as it is. */
export interface WatchAnalysis {
  type: "watch_analysis";
  id: string;
  game: string;
}

/** Watch the changes of a leaderboard. */
export interface WatchBoard {
  type: "watch_board";
  id: string;
  board: string;
}

/** Watch everybody's progress in the deals of a day. */
export interface WatchDay {
  type: "watch_day";
  id: string;
  day: string;
}

/** Watch a race: its racers, its start, and everybody's progress. */
export interface WatchRace {
  type: "watch_race";
  id: string;
  race: string;
}

/** A way to win from a position of an analysed game. `version` is the version of the game in this position. */
export interface Way {
  game: string;
  version: number;
  steps: WayStep[];
}

/** One move of a way to win, with what a client needs to draw it: as in `move_played`, for whoever sees the cards. */
export interface WayStep {
  move: string;
  effects: string[];
  piles: Piles;
  counters: { [name: string]: number };
  score: number;
  home: number;
}

/** A player's results with one set of rules, in the games that ended in one week (UTC). */
export interface WeekTally {
  week: string;
  rules: string;
  played: number;
  won: number;
  best_score: number;
  mean_score: number;
}

/** Why a host or a moderator does something: a word for the log, and a note for the other hosts. */
export interface Why {
  reason: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
  note?: string;
}

/** Whether the position of a game at `version` can still be won; `steps` are a way if it can. */
export interface Winnability {
  type: "winnability";
  game: string;
  version: number;
  verdict?: "won" | "lost" | "unknown";
  steps?: WayStep[];
  ahead?: number;
  id?: string;
}

/** The published run of the solver of this version, game by game, sorted by slug. */
export interface WinnabilityTable {
  solver: number;
  games: GameWinnability[];
}

export type ClientMessage =
  | Subscribe
  | Unsubscribe
  | Play
  | TakeBack
  | Resign
  | AskForHint
  | AskIfWinnable
  | WatchAnalysis
  | UnwatchAnalysis
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
  | Hint
  | Winnability
  | AnalysisChanged
  | DayProgress
  | Race
  | BoardChanged
  | Done
  | Pong
  | Refused;

/** What each endpoint takes (parameters of the address, and a body) and answers. */
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
  "PUT /session/confirmation": {
    takes: [{}, ConfirmPassword];
    answers: Session;
  };
  "POST /account": {
    takes: [{}, NewAccount];
    answers: SignedIn;
  };
  "PUT /account/access": {
    takes: [{}, RegainAccess];
    answers: SignedIn;
  };
  "PUT /account/password": {
    takes: [{}, NewPassword];
    answers: PasswordChanged;
  };
  "GET /settings": {
    takes: [];
    answers: KeptSettings;
  };
  "PUT /settings": {
    takes: [{}, Settings];
    answers: KeptSettings;
  };
  "GET /home": {
    takes: [{ language?: string }];
    answers: Home;
  };
  "GET /shelf": {
    takes: [{ language?: string }];
    answers: Shelf;
  };
  "GET /winnability": {
    takes: [{ language?: string }];
    answers: WinnabilityTable;
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
  "GET /games/unfinished": {
    takes: [];
    answers: UnfinishedGames;
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
  "GET /games/{id}/result": {
    takes: [{ id: string }];
    answers: GameResult;
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
    takes: [{ day: string; language?: string }];
    answers: Share;
  };
  "GET /games/{id}/analysis": {
    takes: [{ id: string }];
    answers: Analysis;
  };
  "POST /games/{id}/analysis": {
    takes: [{ id: string }];
    answers: Analysis;
  };
  "GET /games/{id}/analysis/ways/{version}": {
    takes: [{ id: string; version: string }];
    answers: Way;
  };
  "GET /games/{id}/comparison/{other}": {
    takes: [{ id: string; other: string }];
    answers: Comparison;
  };
  "POST /games/{id}/continuations": {
    takes: [{ id: string }, PlayOn];
    answers: Game;
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
  "GET /tokens": {
    takes: [];
    answers: PersonalTokens;
  };
  "POST /tokens": {
    takes: [{}, NewToken];
    answers: MadeToken;
  };
  "DELETE /tokens/{id}": {
    takes: [{ id: string }];
    answers: PersonalTokens;
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
  "PUT /house/host": {
    takes: [{}, BecomeHost];
    answers: Session;
  };
  "GET /house/players": {
    takes: [{ name?: string; offset?: number; limit?: number }];
    answers: HousePlayers;
  };
  "PUT /house/players/{id}/role": {
    takes: [{ id: string }, ChangeRole];
    answers: HousePlayer;
  };
  "PUT /house/players/{id}/name": {
    takes: [{ id: string }, Rename];
    answers: HousePlayer;
  };
  "PUT /house/players/{id}/suspension": {
    takes: [{ id: string }, Suspend];
    answers: HousePlayer;
  };
  "PUT /house/players/{id}/ban": {
    takes: [{ id: string }, Ban];
    answers: HousePlayer;
  };
  "PUT /house/players/{id}/sessions": {
    takes: [{ id: string }, Why];
    answers: HousePlayer;
  };
  "PUT /house/players/{id}/access": {
    takes: [{ id: string }, Why];
    answers: OneTimeLink;
  };
  "GET /house/entry": {
    takes: [];
    answers: Entry;
  };
  "PUT /house/entry": {
    takes: [{}, Entry];
    answers: Entry;
  };
  "GET /house/invitations": {
    takes: [];
    answers: Invitations;
  };
  "POST /house/invitations": {
    takes: [{}, NewInvitation];
    answers: MadeInvitation;
  };
  "DELETE /house/invitations/{id}": {
    takes: [{ id: string }];
    answers: Invitations;
  };
  "GET /house/log": {
    takes: [{ before?: number; limit?: number }];
    answers: HouseLog;
  };
  "GET /root": {
    takes: [];
    answers: LogRoot;
  };
}
