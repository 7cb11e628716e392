// Made by `python -m cadogan.wire.typescript`; tests/wire/test_typescript.py compares it with the wire contract.

export type Sight = "seat" | "board" | "meter";

export type Mode = "casual" | "daily" | "practice" | "race";

export type Status = "playing" | "stuck" | "won" | "lost" | "resigned" | "out_of_time";

export type Result = "won" | "lost" | "resigned" | "out_of_time";

export type RefusalCode =
  | "already_played"
  | "archived"
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
  | "muted"
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

/** A new account, and its session. `recovery_codes` are told only now; a request that is sent again gets none. */
export interface AccountMade {
  player: Player;
  token: string;
  recovery_codes?: string[];
}

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

/** Who stands for a game whose record everybody may have; the record's proof shows the same. */
export interface Attestation {
  game: string;
  entry?: LogEntry;
}

/** Ban a player for good, or end the ban. */
export interface Ban {
  reason: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
  note?: string;
  banned: boolean;
}

/** A chain of drand with the scheme bls-unchained-g1-rfc9380. A hash over all of this names the chain. */
export interface BeaconChain {
  beacon_id: string;
  genesis_seed: string;
  genesis_time: number;
  period: number;
  public_key: string;
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
  struck?: StruckRun[];
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

/** Change the schedule, or only show what would follow. */
export interface ChangeSchedule {
  deals?: ScheduledDeal[];
  grace?: number;
  preview?: boolean;
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

/** Confirm an address with the code from the mail. */
export interface ConfirmMailAddress {
  code: string;
}

/** The password of who is signed in, entered again. */
export interface ConfirmPassword {
  password: string;
}

/** The run follows the run `of` further than chance explains. */
export interface CopyFinding {
  run: HouseRun;
  of: HouseRun;
  agreed: number;
  bits: number;
  usual: number;
  choices: SharedChoice[];
  views: RunView[];
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
  beacon?: DailyBeacon;
  shuffling?: boolean;
}

/** The round of a beacon from which the cards of a day follow beside the host's secret. */
export interface DailyBeacon {
  chain: BeaconChain;
  round: number;
  signature?: string;
  away?: boolean;
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
  deal_level?: string;
  par?: number;
}

/** What was found about the runs of people on a closed day, the surest first. Nothing follows by itself. */
export interface DayFindings {
  day: string;
  runs: number;
  copies: CopyFinding[];
  paces: PaceFinding[];
}

/** Progress in the deals of a day. The answer, with the request's `id`, has the best runs and the asker's own. */
export interface DayProgress {
  type: "day_progress";
  day: string;
  games: Meter[];
  id?: string;
  state?: "announced" | "open" | "closed";
}

/** All events of a closed day, from its announcement to its close: what is needed to verify it offline. */
export interface DayRecord {
  format: "cadogan day 1";
  day: string;
  events: RecordedEvent[];
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

/** The last deliveries of a webhook, the latest first. */
export interface Deliveries {
  deliveries: Delivery[];
}

/** A request that was sent, or is to be. `status` is the last answer's, and `next_at` when it is sent again. */
export interface Delivery {
  id: string;
  event: string;
  about: string;
  created_at: number;
  state: "waiting" | "delivered" | "failed";
  attempts: number;
  status?: number;
  problem?: "inside" | "unreachable" | "too_slow" | "redirected" | "status";
  next_at?: number;
}

/** What the device that asks has switched on. */
export interface DeviceNotifications {
  topics: ("day_opened" | "overtaken" | "race_started")[];
  time_zone: string;
  quiet: QuietHours | null;
  language: string;
  created_at: number;
}

/** A request was carried out; it has no other answer. */
export interface Done {
  type: "done";
  id: string;
}

/** Have no more digests sent, with the code of the link in one of them. */
export interface EndMailDigest {
  code: string;
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

/** Erase a player. There is no note: it would be about somebody of whom nothing is to be left. */
export interface Erase {
  reason: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
}

/** A closed day in which something was found; `seen` once a host or a moderator has read what. */
export interface FindingsDay {
  day: string;
  found: number;
  at: number;
  seen: boolean;
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
  struck?: Struck;
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

/** Give a sign. It takes the place of the one that the same player gave there before. */
export interface GiveSign {
  sign: "hello" | "good_luck" | "well_played" | "so_close" | "thanks" | "again" | "star" | "smile" | "wow";
}

/** A group of which the asker is a member. Every leaderboard can be limited to a group. */
export interface Group {
  id: string;
  name: string;
  token: string;
  members: Player[];
  owner?: string;
  talk?: boolean;
}

/** What the members of a group wrote, the earliest first; `more` whether there is anything before it. */
export interface GroupTalk {
  group: string;
  on: boolean;
  messages: TalkMessage[];
  more?: boolean;
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

/** An event of the log. What the asker may not see is left out, whatever the asker's role. */
export interface HistoryEvent {
  stream: string;
  version: number;
  type: string;
  at: number;
  hash?: string;
  data?: { [name: string]: unknown };
  board?: { [name: string]: unknown };
  meter?: { [name: string]: unknown };
}

/** A page of events. */
export interface HistoryPage {
  events: HistoryEvent[];
  sights?: KindSights;
  next?: string;
}

/** What the first page shows, in one answer: each part is also at an address of its own. */
export interface Home {
  rules: RulesCard[];
  live: LiveGame[];
  coming: Daily[];
  races: Race[];
  today?: Daily;
  today_away?: boolean;
  unfinished?: UnfinishedGame[];
  sample?: SampleTable;
  welcome?: string;
}

/** Something that a host or a moderator has done; without `by`, at the command line of the server. */
export interface HouseAct {
  version: number;
  at: number;
  act: "role_changed" | "renamed" | "muted" | "unmuted" | "suspended" | "banned" | "restored" | "signed_out" | "access_reset" | "run_struck" | "run_returned" | "report_settled" | "message_removed" | "entry_changed" | "invited" | "invitation_ended" | "profile_changed" | "erased" | "schedule_changed" | "webhook_added" | "webhook_removed" | "archived";
  by?: Player;
  player?: Player;
  code?: string;
  role?: "moderator" | "host";
  until?: number;
  accounts?: "open" | "invitation" | "closed";
  guests?: boolean;
  uses?: number;
  changed?: ("name" | "announcement" | "welcome" | "rules" | "colours" | "crest" | "calendar" | "grace")[];
  game?: string;
  archive?: string;
  games?: number;
  reason?: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
  note?: string;
}

/** The colours of the page: of the bar at the top, and of links and buttons on the light and on the dark page. */
export interface HouseColours {
  bar: string;
  accent: string;
  accent_dark: string;
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
  muted_until?: number;
}

/** A page of the players, by name; guests, who have no name of their own, come last. */
export interface HousePlayers {
  players: HousePlayer[];
  more: boolean;
}

/** What a host says about the house; what is left out is empty. */
export interface HouseProfile {
  name?: string;
  announcement?: string;
  welcome?: string;
  rules?: string;
  colours?: HouseColours;
}

/** A report with what is known beside it: the player, the run without its cards, and earlier acts on the player. */
export interface HouseReport {
  id: string;
  by: Player;
  about: HousePlayer;
  run?: HouseRun;
  message?: ReportedMessage;
  reason: "cheating" | "name" | "conduct" | "second_account" | "other";
  text?: string;
  at: number;
  pace?: RunPace;
  copies?: CopyFinding[];
  paces?: PaceFinding[];
  others?: number;
  acts: HouseAct[];
  settled_at?: number;
  outcome?: "acted" | "nothing";
}

/** The reports that wait, the earliest first; or those that are settled, the latest first. */
export interface HouseReports {
  reports: HouseReport[];
  more: boolean;
}

/** A run as hosts and moderators see it: what it is and how it ended, and no card of it. */
export interface HouseRun {
  game: string;
  player: Player;
  rules: string;
  mode: Mode;
  ranked: boolean;
  status: Status;
  started_at: number;
  day?: string;
  slot?: number;
  race?: string;
  score?: number;
  moves?: number;
  milliseconds?: number;
  struck?: Struck;
}

/** What waits for hosts and moderators: how many reports are not settled, and the latest days with findings. */
export interface HouseWaiting {
  reports: number;
  days: FindingsDay[];
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

/** What each kind of viewer may see of a game now. */
export interface KindSights {
  player: Sight;
  spectator: Sight;
  host: Sight;
  public: Sight;
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
  struck?: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
  rules: string;
  day?: string;
}

/** The games that are being played now. */
export interface LiveGames {
  games: LiveGame[];
}

/** Where something is in the log of its host: `number`, from 0, of the `size` entries of a signed checkpoint. */
export interface LogEntry {
  number: number;
  size: number;
  origin: string;
  key: string;
  witnesses: WitnessSeen[];
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

/** A new webhook. `secret` signs its requests, and is shown only now; a chat has none. */
export interface MadeWebhook {
  id: string;
  name: string;
  host: string;
  format: "standard" | "discord" | "slack" | "matrix";
  topics: ("day_opened" | "day_closed" | "race_started" | "race_ended" | "report_made" | "findings_made")[];
  language?: string;
  created_at: number;
  waiting?: number;
  secret?: string;
}

/** The player's address, if any, and whether it is confirmed. Without an SMTP server it is not `offered`. */
export interface MailAddress {
  offered: boolean;
  address?: string;
  confirmed?: boolean;
  digest?: boolean;
  digest_offered?: boolean;
}

/** Have the digest of the week sent to one's confirmed address, in a language of the pages, or no more. */
export interface MailDigest {
  on: boolean;
  language?: string;
}

/** Ask for a link that sets a new password, to be sent to a confirmed address. */
export interface MailRecovery {
  address: string;
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
  struck?: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
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

/** Let a player say nothing until a moment, or, with null, end that. */
export interface Mute {
  reason: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
  note?: string;
  until: number | null;
}

/** A report of the asker's own: about a player, with `game` about that run, with `quoted` about what they wrote. */
export interface MyReport {
  player: Player;
  game?: string;
  quoted?: string;
  reason: "cheating" | "name" | "conduct" | "second_account" | "other";
  text?: string;
  at: number;
  settled_at?: number;
  outcome?: "acted" | "nothing";
}

/** The asker's own reports, the latest first, a hundred at most. */
export interface MyReports {
  reports: MyReport[];
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

/** The picture of the house, or null for none: PNG or WebP, in base64, of 16 to 512 pixels a side. */
export interface NewCrest {
  image: string | null;
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

/** Have an address confirmed by a mail, in a language of the pages. */
export interface NewMailAddress {
  address: string;
  language?: string;
}

/** Send notifications to the device that asks: where to, as the browser's `PushSubscription` has it, and what. */
export interface NewNotifications {
  endpoint: string;
  p256dh: string;
  auth: string;
  topics: ("day_opened" | "overtaken" | "race_started")[];
  time_zone: string;
  quiet?: QuietHours;
  language?: string;
}

/** Create an account for who has just signed in by the provider. `player` is the name of the account. */
export interface NewOidcAccount {
  player: string;
  invitation?: string;
}

/** A new passkey, as a browser answers (`AuthenticatorAttestationResponse`), and its name. */
export interface NewPasskey {
  name: string;
  credential: string;
  client_data: string;
  attestation: string;
}

/** Create an account whose player signs in with a passkey. `player` is the name of the account. */
export interface NewPasskeyAccount {
  name: string;
  credential: string;
  client_data: string;
  attestation: string;
  player: string;
  invitation?: string;
}

/** What a new passkey has to sign. `user` is what the device calls the account by; `known` are passkeys it has. */
export interface NewPasskeyChallenge {
  challenge: string;
  site: string;
  user: string;
  known: string[];
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

/** Report what the address names: a run, a player, or a message. */
export interface NewReport {
  reason: "cheating" | "name" | "conduct" | "second_account" | "other";
  text?: string;
}

/** Write something to the members of a group. */
export interface NewTalk {
  text: string;
}

/** Create a personal token that ends after some days. No token may change the account. */
export interface NewToken {
  name: string;
  scopes: ("read" | "play")[];
  days?: number;
}

/** Send news to an address. `token` is for Matrix alone: an access token of who writes there. */
export interface NewWebhook {
  name: string;
  url: string;
  format?: "standard" | "discord" | "slack" | "matrix";
  topics: ("day_opened" | "day_closed" | "race_started" | "race_ended" | "report_made" | "findings_made")[];
  language?: string;
  token?: string;
}

/** What a browser needs to subscribe, and what it has switched on, if anything. */
export interface Notifications {
  key: string;
  device?: DeviceNotifications;
  others?: number;
}

/** Where one signs in. The provider leads back to `/account/provider`, in the browser that asked. */
export interface OidcAddress {
  address: string;
}

/** What the provider has put into the address that it leads back to. */
export interface OidcAnswer {
  code: string;
  state: string;
}

/** What has come of a sign-in: a session; a linked account; `confirmed`: this session is as if the password had been */
export interface OidcOutcome {
  outcome: "signed_in" | "linked" | "confirmed" | "new";
  player?: Player;
  token?: string;
}

/** The provider that signs people in: `name` is what the host calls it by, none if there is no provider. */
export interface OidcProvider {
  name?: string;
  linked?: boolean;
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

/** Everything that the server keeps about the player who asks. */
export interface OwnData {
  format: "cadogan player 1";
  at: number;
  player: Player;
  role?: "moderator" | "host";
  friends: Player[];
  groups: Group[];
  bots: Player[];
  tables: { [name: string]: { [name: string]: unknown }[] };
  records: Record[];
}

/** One of a player's games, and the number of its entry in the log, from 0, once it is there. */
export interface OwnRun {
  game: GameCard;
  entry?: number;
}

/** A player's games, the latest first. `more` is whether earlier ones follow. */
export interface OwnRuns {
  runs: OwnRun[];
  more: boolean;
}

/** A place where the player is signed in. A program has no `browser`. `current` is the session that asks. */
export interface OwnSession {
  id: string;
  browser?: string;
  system?: string;
  created_at: number;
  used_at?: number;
  current?: boolean;
}

/** Where the player is signed in, the session used last first. */
export interface OwnSessions {
  sessions: OwnSession[];
}

/** How a finished run progressed, to race against it. */
export interface Pace {
  game: GameCard;
  points: [number, number, number][];
}

/** The run was played at the pace of a machine: too fast, or too evenly. */
export interface PaceFinding {
  run: HouseRun;
  kind: "fast" | "even";
  median: number;
  spread: number;
  waits: number;
}

/** A passkey of the player. */
export interface Passkey {
  id: string;
  name: string;
  created_at: number;
  used_at?: number;
}

/** What a passkey has signed, as a browser answers (`AuthenticatorAssertionResponse`). */
export interface PasskeyAnswer {
  credential: string;
  client_data: string;
  authenticator_data: string;
  signature: string;
}

/** What a passkey has to sign, within five minutes and once. `site` is the name of this server. */
export interface PasskeyChallenge {
  challenge: string;
  site: string;
}

/** The passkeys of the player, the latest first. */
export interface Passkeys {
  passkeys: Passkey[];
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

/** A day to come; one that is announced stays as it is, whatever is set. `grace` is in seconds. */
export interface PlannedDay {
  day: string;
  announced: boolean;
  deals: PlannedDeal[];
  grace: number;
}

/** A deal of a day to come. */
export interface PlannedDeal {
  level: string;
  rules: string;
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
  left?: boolean;
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

/** Between these times of the day, on the clock of the device, nothing is sent. They may go past midnight. */
export interface QuietHours {
  begin: string;
  end: string;
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
  struck?: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
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
  beacon?: SignedRound;
  proof?: string;
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

/** Set a new password with a recovery code. Capital letters and signs between the letters of a code do not count. */
export interface RecoverAccount {
  name: string;
  code: string;
  password: string;
}

/** New recovery codes, told only now. With each of them one can set a new password once. */
export interface RecoveryCodes {
  codes: string[];
}

/** How many recovery codes have not been used, and when they were made. */
export interface RecoveryCodesLeft {
  left: number;
  made_at?: number;
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

/** A message that was reported, with its `text` as it was then. */
export interface ReportedMessage {
  id: string;
  text: string;
  group?: string;
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

/** How long a run waited before its choices, pauses left out: half of the waits are no longer than `median`. */
export interface RunPace {
  median: number;
  spread: number;
  waits: number;
}

/** Somebody was shown the earlier run, before the later one was over. */
export interface RunView {
  player: Player;
  at: number;
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

/** What a host has set for the days to come; null is as the settings of the server say. */
export interface Schedule {
  deals?: ScheduledDeal[];
  grace?: number;
}

/** One deal of every day: how hard it is meant to be, and the games that take turns, day by day. */
export interface ScheduledDeal {
  level: string;
  games: string[];
  certified?: boolean;
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

/** Settle a report. The note is for other hosts and moderators; who reported is told the outcome alone. */
export interface Settle {
  outcome: "acted" | "nothing";
  note?: string;
}

/** The asker's results of a day as text to send to others. It names no card. */
export interface Share {
  text: string;
}

/** A choice that both runs had: the move of the later run, and whether the earlier one did the same. */
export interface SharedChoice {
  number: number;
  kind: "position" | "moves" | "first";
  move: string;
  agrees: boolean;
  choices: number;
  others: number;
  same: number;
  bits: number;
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

/** What a host says about the house, with its Markdown as HTML, which holds no script and no picture. */
export interface ShownHouseProfile {
  name?: string;
  announcement?: string;
  welcome?: string;
  rules?: string;
  colours?: HouseColours;
  welcome_html?: string;
  rules_html?: string;
  crest?: string;
}

/** The schedule: what a host has set, what holds, and the days that follow from it, today first. */
export interface ShownSchedule {
  chosen: Schedule;
  deals: ScheduledDeal[];
  grace: number;
  days: PlannedDay[];
}

/** The last sign of a player at a game or a race. */
export interface Sign {
  by: Player;
  sign: "hello" | "good_luck" | "well_played" | "so_close" | "thanks" | "again" | "star" | "smile" | "wow";
  at: number;
}

/** A new session. Programs send its token as `Authorization: Bearer`; browsers also get it as a cookie. */
export interface SignedIn {
  player: Player;
  token: string;
}

/** A round of a chain and its signature, from which its randomness follows. */
export interface SignedRound {
  chain: BeaconChain;
  round: number;
  signature: string;
}

/** The signs at a game or a race, one of each player, the earliest first; the latest 50 at most. */
export interface Signs {
  signs: Sign[];
}

/** Somebody has given a sign: all signs at a game or a race that one is subscribed to. */
export interface SignsChanged {
  type: "signs_changed";
  about: string;
  signs: Sign[];
}

/** A deal that the asker may now see in the games of others. The asker's own runs of it are not ranked any more. */
export interface Spoiled {
  deal: DailyDeal;
}

/** Take a run that is over off the boards and out of all figures, or put it back. */
export interface Strike {
  reason: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
  note?: string;
  struck: boolean;
}

/** Why a run was taken off the boards, and when. Nothing else of it has changed: its record is as it was. */
export interface Struck {
  reason: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
  at: number;
}

/** A run that was taken off a board. */
export interface StruckRun {
  reason: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
  at: number;
  game: string;
  player: Player;
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

/** Switch the talk of a group on, or off. Switching it off deletes everything that was written. */
export interface SwitchTalk {
  on: boolean;
}

/** Take back the last move. */
export interface TakeBack {
  type: "take_back";
  id: string;
  game: string;
  version: number;
}

/** What the members of a group wrote: in the answer the latest of it, later what is new or was removed. */
export interface Talk {
  type: "talk";
  group: string;
  on: boolean;
  messages: TalkMessage[];
  id?: string;
}

/** What a member of a group wrote. Of what is `removed` there is no text any more. */
export interface TalkMessage {
  id: string;
  by: Player;
  at: number;
  text?: string;
  removed?: boolean;
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
  struck?: "cheating" | "name" | "conduct" | "second_account" | "security" | "request" | "mistake" | "other";
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

/** Stop watching what the members of a group write. */
export interface UnwatchTalk {
  type: "unwatch_talk";
  id: string;
  group: string;
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
  may_ask_if_winnable?: boolean;
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

/** Watch what the members of a group write; only they may. The answer has the latest of it. */
export interface WatchTalk {
  type: "watch_talk";
  id: string;
  group: string;
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

/** How the player can confirm that it is they. `provider` is its name, if the account is linked with it. */
export interface WaysToConfirm {
  password: boolean;
  passkey: boolean;
  provider?: string;
}

/** Where news is sent, without what is secret. `host` is the name in the address. */
export interface Webhook {
  id: string;
  name: string;
  host: string;
  format: "standard" | "discord" | "slack" | "matrix";
  topics: ("day_opened" | "day_closed" | "race_started" | "race_ended" | "report_made" | "findings_made")[];
  language?: string;
  created_at: number;
  waiting?: number;
}

/** All webhooks, the latest first. */
export interface Webhooks {
  webhooks: Webhook[];
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
  moves_since_won?: number;
  ahead?: number;
  id?: string;
}

/** The published run of the solver of this version, game by game, sorted by slug. */
export interface WinnabilityTable {
  solver: number;
  games: GameWinnability[];
}

/** A witness that has signed a checkpoint of the log, and when it saw that. */
export interface WitnessSeen {
  name: string;
  at: number;
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
  | WatchTalk
  | UnwatchTalk
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
  | Talk
  | SignsChanged
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
  "GET /sessions": {
    takes: [];
    answers: OwnSessions;
  };
  "DELETE /sessions/others": {
    takes: [];
    answers: OwnSessions;
  };
  "DELETE /sessions/{id}": {
    takes: [{ id: string }];
    answers: OwnSessions;
  };
  "DELETE /sessions": {
    takes: [];
    answers: Session;
  };
  "GET /session/confirmation": {
    takes: [];
    answers: WaysToConfirm;
  };
  "PUT /session/confirmation": {
    takes: [{}, ConfirmPassword];
    answers: Session;
  };
  "POST /account": {
    takes: [{}, NewAccount];
    answers: AccountMade;
  };
  "PUT /account/access": {
    takes: [{}, RegainAccess];
    answers: SignedIn;
  };
  "PUT /account/password": {
    takes: [{}, NewPassword];
    answers: PasswordChanged;
  };
  "PUT /account/recovery": {
    takes: [{}, RecoverAccount];
    answers: SignedIn;
  };
  "GET /account/recovery-codes": {
    takes: [];
    answers: RecoveryCodesLeft;
  };
  "PUT /account/recovery-codes": {
    takes: [];
    answers: RecoveryCodes;
  };
  "GET /account/runs": {
    takes: [{ offset?: number; limit?: number }];
    answers: OwnRuns;
  };
  "GET /account/data": {
    takes: [];
    answers: OwnData;
  };
  "DELETE /account": {
    takes: [];
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
  "POST /session/passkey/challenge": {
    takes: [];
    answers: PasskeyChallenge;
  };
  "POST /session/passkey": {
    takes: [{}, PasskeyAnswer];
    answers: SignedIn;
  };
  "PUT /session/passkey/confirmation": {
    takes: [{}, PasskeyAnswer];
    answers: Session;
  };
  "POST /account/passkey/challenge": {
    takes: [];
    answers: NewPasskeyChallenge;
  };
  "POST /account/passkey": {
    takes: [{}, NewPasskeyAccount];
    answers: AccountMade;
  };
  "GET /passkeys": {
    takes: [];
    answers: Passkeys;
  };
  "PUT /passkeys": {
    takes: [{}, NewPasskey];
    answers: Passkeys;
  };
  "DELETE /passkeys/{id}": {
    takes: [{ id: string }];
    answers: Passkeys;
  };
  "GET /session/oidc": {
    takes: [];
    answers: OidcProvider;
  };
  "POST /session/oidc/request": {
    takes: [];
    answers: OidcAddress;
  };
  "POST /account/oidc/request": {
    takes: [];
    answers: OidcAddress;
  };
  "POST /session/oidc/confirmation": {
    takes: [];
    answers: OidcAddress;
  };
  "POST /session/oidc": {
    takes: [{}, OidcAnswer];
    answers: OidcOutcome;
  };
  "POST /account/oidc": {
    takes: [{}, NewOidcAccount];
    answers: AccountMade;
  };
  "DELETE /account/oidc": {
    takes: [];
    answers: OidcProvider;
  };
  "GET /account/mail": {
    takes: [];
    answers: MailAddress;
  };
  "PUT /account/mail": {
    takes: [{}, NewMailAddress];
    answers: MailAddress;
  };
  "DELETE /account/mail": {
    takes: [];
    answers: MailAddress;
  };
  "PUT /account/mail/confirmation": {
    takes: [{}, ConfirmMailAddress];
    answers: MailAddress;
  };
  "PUT /account/mail/digest": {
    takes: [{}, MailDigest];
    answers: MailAddress;
  };
  "PUT /account/mail/digest/end": {
    takes: [{}, EndMailDigest];
    answers: MailAddress;
  };
  "PUT /account/mail/recovery": {
    takes: [{}, MailRecovery];
    answers: MailAddress;
  };
  "GET /account/notifications": {
    takes: [];
    answers: Notifications;
  };
  "PUT /account/notifications": {
    takes: [{}, NewNotifications];
    answers: Notifications;
  };
  "DELETE /account/notifications": {
    takes: [];
    answers: Notifications;
  };
  "POST /account/notifications/test": {
    takes: [];
    answers: Notifications;
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
  "GET /games/{id}/attestation": {
    takes: [{ id: string }];
    answers: Attestation;
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
  "GET /dailies/{day}/record": {
    takes: [{ day: string }];
    answers: DayRecord;
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
  "DELETE /groups/{id}/members/{player}": {
    takes: [{ id: string; player: string }];
    answers: Group;
  };
  "PUT /groups/{id}/link": {
    takes: [{ id: string }];
    answers: Group;
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
  "PUT /groups/{id}/talk": {
    takes: [{ id: string }, SwitchTalk];
    answers: Group;
  };
  "GET /groups/{id}/messages": {
    takes: [{ id: string; before?: string; limit?: number }];
    answers: GroupTalk;
  };
  "POST /groups/{id}/messages": {
    takes: [{ id: string }, NewTalk];
    answers: TalkMessage;
  };
  "DELETE /groups/{id}/messages/{message}": {
    takes: [{ id: string; message: string }];
    answers: TalkMessage;
  };
  "GET /games/{id}/signs": {
    takes: [{ id: string }];
    answers: Signs;
  };
  "PUT /games/{id}/signs/mine": {
    takes: [{ id: string }, GiveSign];
    answers: Signs;
  };
  "GET /races/{id}/signs": {
    takes: [{ id: string }];
    answers: Signs;
  };
  "PUT /races/{id}/signs/mine": {
    takes: [{ id: string }, GiveSign];
    answers: Signs;
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
  "PUT /house/players/{id}/mute": {
    takes: [{ id: string }, Mute];
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
  "PUT /house/players/{id}/erasure": {
    takes: [{ id: string }, Erase];
    answers: Player;
  };
  "GET /house/runs/{id}": {
    takes: [{ id: string }];
    answers: HouseRun;
  };
  "PUT /house/runs/{id}/strike": {
    takes: [{ id: string }, Strike];
    answers: HouseRun;
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
  "GET /house/profile": {
    takes: [];
    answers: ShownHouseProfile;
  };
  "PUT /house/profile": {
    takes: [{}, HouseProfile];
    answers: ShownHouseProfile;
  };
  "PUT /house/crest": {
    takes: [{}, NewCrest];
    answers: ShownHouseProfile;
  };
  "GET /house/events": {
    takes: [{ about?: string; type?: string; since?: string; until?: string; after?: string; limit?: number }];
    answers: HistoryPage;
  };
  "GET /house/schedule": {
    takes: [];
    answers: ShownSchedule;
  };
  "PUT /house/schedule": {
    takes: [{}, ChangeSchedule];
    answers: ShownSchedule;
  };
  "GET /house/webhooks": {
    takes: [];
    answers: Webhooks;
  };
  "POST /house/webhooks": {
    takes: [{}, NewWebhook];
    answers: MadeWebhook;
  };
  "DELETE /house/webhooks/{id}": {
    takes: [{ id: string }];
    answers: Webhooks;
  };
  "GET /house/webhooks/{id}/deliveries": {
    takes: [{ id: string }];
    answers: Deliveries;
  };
  "POST /house/webhooks/{id}/deliveries": {
    takes: [{ id: string }];
    answers: Deliveries;
  };
  "GET /reports": {
    takes: [];
    answers: MyReports;
  };
  "PUT /reports/runs/{id}": {
    takes: [{ id: string }, NewReport];
    answers: MyReports;
  };
  "PUT /reports/players/{id}": {
    takes: [{ id: string }, NewReport];
    answers: MyReports;
  };
  "PUT /reports/messages/{id}": {
    takes: [{ id: string }, NewReport];
    answers: MyReports;
  };
  "GET /house/reports": {
    takes: [{ settled?: number; offset?: number; limit?: number }];
    answers: HouseReports;
  };
  "PUT /house/reports/{id}": {
    takes: [{ id: string }, Settle];
    answers: HouseReport;
  };
  "GET /house/waiting": {
    takes: [];
    answers: HouseWaiting;
  };
  "GET /house/findings/{day}": {
    takes: [{ day: string }];
    answers: DayFindings;
  };
  "GET /root": {
    takes: [];
    answers: LogRoot;
  };
}
