/**
 * Refuses words that the project has replaced, and sentences that begin with a free relative clause. Names (identifiers,
 * tables, columns, files) are compared word by word, so `tellParent` and `tell_parent` both contain `tell`; phrases are
 * searched in all text. docs/glossary.md has the words to use instead.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Banned as a word of a name → the word to use. */
const words: Record<string, string> = {
  birth: 'new contact',
  births: 'new contacts',
  bury: 'moveToDeadLetters',
  courier: 'sender',
  deafen: 'unsubscribe',
  doorbell: 'wake signal',
  fewest: 'min',
  happened: 'pending event',
  happening: 'provider event',
  happenings: 'provider events',
  hear: 'receive',
  heard: 'received or buffered',
  hears: 'receives',
  hungry: 'mayHaveMore',
  longest: 'max',
  misfit: 'violation',
  misfits: 'violations',
  patience: 'timeout',
  somebody: 'the noun',
  soon: 'batched',
  surroundings: 'context',
  tell: 'emit or notify',
  teller: 'notifier',
  telling: 'emitting',
  tells: 'emits or notifies',
  told: 'event, row or payload',
  trouble: 'issue',
  troubles: 'issues',
  whose: 'assignment',
}

/** Banned as a whole name → the name to use. */
const names: Record<string, string> = {
  assignment_turns: 'round_robin_cursors',
  atOnce: 'batchSize or concurrency',
  awaitTurn: 'acquireInboxSlot',
  batching: 'batched',
  beginListening: 'registerTrigger',
  beginSends: 'markSendsStarted',
  begunTry: 'attempt',
  blocked_until: 'circuit_open_until',
  booked_until: 'reserved_until',
  bookInbox: 'reserveInbox',
  bot_routes: 'bot_assignments',
  breathe: 'maybeYield',
  callOut: 'callProvider',
  campaign_inbox_paces: 'campaign_rate_limits',
  carryMedia: 'attachMedia',
  causedAt: 'withCausationDepth',
  contactsBehind: 'resolveContactIds',
  createFresh: 'createContacts',
  currentStanding: 'reloadCaller',
  decideAll: 'checkRecipients',
  deepestCause: 'maxCausationDepth',
  done_until: 'processed_until',
  editKnown: 'updateContacts',
  enter_by_clock: 'workflows.run_schedule',
  erase_person: 'contacts.erase',
  event_cursors: 'event_offsets',
  event_feeds: 'event_consumer_queue',
  event_subscribers: 'event_consumers',
  FieldBook: 'FieldDefinitions',
  fireClock: 'fireDueSchedule',
  followBots: 'handleConversationEvent',
  goAlong: 'scan',
  goBy: 'preferPhone',
  heldAccounts: 'allowedAccounts',
  hiddenFrom: 'listInvisible',
  holdGround: 'lockFields',
  inOnePiece: 'corked',
  insertArriving: 'insertPending',
  isDoubtful: 'isHalfOpen',
  isHopeless: 'shouldDisable',
  isNews: 'outranks',
  isWorthWaiting: 'shouldKeepSearching',
  joined_into: 'merged_into',
  keepClocks: 'syncSchedules',
  keptMs: 'retentionMs or ttlMs',
  knownAmong: 'findKnown',
  knownLabels: 'findExisting',
  knownTo: 'findExisting',
  learnNames: 'linkAddresses',
  leaveOutRest: 'skipRemainingRecipients',
  loadLinked: 'loadContactsWithConversations',
  loadShown: 'loadContacts',
  loadSummarised: 'loadSummaries',
  lockStanding: 'lockAndReload',
  look_at_jobs: 'promote_due_jobs',
  lookingAt: 'candidates',
  makeMissing: 'createMissing',
  markLeaving: 'markDeleting',
  mayCarry: 'isContentAllowed',
  mediaFor: 'loadAttachment',
  mergeMarks: 'mergeReadCursors',
  messageToWire: 'messageToApi',
  missingIn: 'findBroken',
  moveMark: 'advanceReadCursor',
  moveTogether: 'advanceBatch',
  mustBeReady: 'assertReady',
  mustSuit: 'assertSupported',
  open_teams: 'open_conversation_teams',
  openOnce: 'openBatch',
  overBy: 'issuesResolvedBy',
  paced_to: 'rate_limited_until',
  partyOf: 'resolveRecipient',
  patienceMs: 'timeoutMs',
  placesOf: 'findPlaceholders',
  planAnew: 'replan',
  quietUntil: 'debounceUntil',
  read_marks: 'read_cursors',
  recallInbox: 'getCachedInbox',
  refusalFor: 'evaluateSend',
  refusalOf: 'checkSend',
  registerLater: 'enqueueRegistration',
  registerMoved: 'reregisterChanged',
  resource_grants: 'provider_account_grants',
  seesAll: 'canSeeAll',
  send_pace: 'send_rate_limits',
  sendTo: 'sendMessage',
  sharedTime: 'dbNow',
  shownInbox: '…ToApi',
  shownSettings: '…ToApi',
  standingOf: 'loadImporter',
  StatusNews: 'StatusUpdate',
  stillMine: 'holdsLease',
  takeAway: 'detachContact',
  takeBackSend: 'clearSendStarted',
  takePair: 'reserveRecipient',
  toWire: '…ToApi',
  transactAtOnce: 'transactPipelined',
  uncertainMs: 'sendReconcileMs',
  unread_states: 'unread_counters',
  unreadIn: 'recountUnread',
  unreadOf: 'getUnread',
  wakeListeners: 'resumeWaitingRuns',
  wakeMany: 'enqueueResumes',
  WakeUp: 'Resume',
  walkList: 'scanList',
  watched_members: 'segment_memberships',
  watched_segments: 'tracked_segments',
  webhook_lanes: 'webhook_endpoint_state',
  wordOf: 'deliveryStatusOf',
  workflow_clocks: 'workflow_schedules',
}

/** Banned anywhere in text → the phrase to use. */
const phrases: Record<string, string> = {
  anew: 'again',
  'any more': 'no longer',
  'by itself': 'automatically',
  'for ever': 'forever',
  'for good': 'permanently',
  happening: 'event',
  happenings: 'events',
  mend: 'fix',
  mended: 'fixed',
  somebody: 'the noun: user, customer, caller',
  told: 'notified, reported, received',
  'under way': 'in flight',
  whoever: 'the noun: user, process, caller',
}

/** "What a client sends is …", "Who owns …": the subject must be a noun. Applied migrations keep their comments. */
const freeRelative = /(?:^\s*(?:\/\*\*|\*|\/\/|#|--)\s+|\. )(What|Who|Whoever|Whatever) (?!.*\?)/

const exempt = ['docs/glossary.md', 'scripts/check-vocabulary.ts', 'package-lock.json']
const code = /\.(tsx?|js|cjs|mjs|sql)$/
const text = /\.(tsx?|js|cjs|mjs|sql|css|md|yml|yaml|service|json|html)$|Dockerfile$/
const phrasePattern = new RegExp(`\\b(${Object.keys(phrases).join('|')})\\b`, 'gi')

function findName(name: string): string | undefined {
  if (Object.hasOwn(names, name)) return names[name]
  const word = name
    .split(/_|-|\.|(?<=[a-z0-9])(?=[A-Z])/)
    .map(part => part.toLowerCase())
    .find(part => Object.hasOwn(words, part))
  return word === undefined ? undefined : words[word]
}

/** Removes comments and string contents, so that only names are left. SQL in templates is kept: tables are names too. */
function withoutProse(source: string, file: string): string {
  if (file.endsWith('.sql')) return source.replace(/--.*$/gm, '').replace(/'[^'\n]*'/g, '')
  return source
    .replace(/\/\*[\s\S]*?\*\//g, comment => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, '')
}

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter(file => text.test(file) && !exempt.includes(file) && !file.endsWith('package-lock.json'))

const problems: string[] = []
for (const file of files) {
  let source: string
  try {
    source = readFileSync(file, 'utf8')
  } catch {
    continue // deleted in the work tree
  }
  const better = findName(path.basename(file).replace(/\.\w+$/, ''))
  if (better) problems.push(`${file}: rename the file (use: ${better})`)
  const prose = source.split('\n')
  const lines = code.test(file) ? withoutProse(source, file).split('\n') : []
  prose.forEach((line, n) => {
    for (const [phrase] of line.matchAll(phrasePattern))
      problems.push(`${file}:${n + 1}: "${phrase}" (use: ${phrases[phrase.toLowerCase()]})`)
    const clause = file.startsWith('migrations/') ? undefined : freeRelative.exec(line)?.[1]
    if (clause) problems.push(`${file}:${n + 1}: a sentence begins with "${clause}" (use: the noun)`)
    for (const [name] of (lines[n] ?? '').matchAll(/[A-Za-z_$][\w$]*/g)) {
      const instead = findName(name)
      if (instead) problems.push(`${file}:${n + 1}: ${name} (use: ${instead})`)
    }
  })
}
for (const problem of problems) console.log(problem)
if (problems.length > 0) {
  console.log(`${problems.length} words that docs/glossary.md replaces`)
  process.exit(1)
}
