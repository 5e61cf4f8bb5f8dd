import { hash } from 'node:crypto'
import type { EventName, Events } from './domain/events.ts'
import { effects } from './effects.ts'
import type { JobSpec } from './platform/jobs/job-queue.ts'
import type { QueueName } from './platform/jobs/queues.ts'

type EffectName = { [Name in EventName]: keyof (typeof effects)[Name] & string }[EventName]

/**
 * How often an effect is attempted before its job is dead. The delays increase up to six hours (`return-jobs.ts`): eight
 * attempts take half an hour, 12 take 16 hours, and 20 take almost three days.
 */
const MAX_ATTEMPTS = 8
const MAX_ATTEMPTS_BY_EFFECT: Partial<Record<string, number>> = {
  sendMail: 20,
  removeFiles: 20,
  restrictFiles: 20,
  processActivity: 12,
} satisfies Partial<Record<EffectName, number>>

/**
 * Effects that take long or wait for other servers, the storage, the generation of a key or the jobs of others, which
 * must not delay feeds, notifications and streams.
 */
const NETWORK_EFFECTS: ReadonlySet<string> = new Set<EffectName>([
  'sendMail',
  'sendPush',
  'deliverToHost',
  'rotateKey',
  'fetchCounters',
  'verifyLinks',
  'importPicture',
  'fetchFeatured',
  'fetchFeaturedTags',
  'reconcileFollowers',
  'fetchReplies',
  'fetchListedReplies',
  'fetchCard',
  'refreshUnsuspended',
  'refreshInboxOwners',
  'removeFiles',
  'removeArchiveFiles',
  'restrictFiles',
  'deliverWebhook',
  'measureMediaUsage',
  'runImports',
  'applyDomainBlockImport',
  'importPosts',
  'buildArchive',
  'undoArchiveImport',
  'authorizeAllFollowRequests',
  'migrateRelationships',
  'purgeAccount',
  'deleteReblogs',
  'notifyMoreVoters',
])

/** Effects that take minutes of processor time and run one after the other. */
const MEDIA_EFFECTS: ReadonlySet<string> = new Set<EffectName>(['processMedia'])

/** Effects of incoming activities. They fetch from other servers, too. */
const INGRESS_EFFECTS: ReadonlySet<string> = new Set<EffectName>(['processActivity'])

/** Returns the queue of an effect. Each queue has its own worker. */
export function queueOf(name: string): QueueName {
  if (NETWORK_EFFECTS.has(name)) return 'network'
  if (INGRESS_EFFECTS.has(name)) return 'ingress'
  return MEDIA_EFFECTS.has(name) ? 'media' : 'default'
}

/**
 * Effects that run later, so that one run covers the events of that time, in milliseconds. Apps change a profile in
 * several requests; each run sends the present profile once, so nothing has to be cancelled.
 */
const DELAY_MS_BY_EFFECT: Partial<Record<string, number>> = {
  deliverProfile: 5_000,
} satisfies Partial<Record<EffectName, number>>

/** Effects that have nothing to do after some events get no job for them. */
const HAS_WORK: Partial<Record<string, (payload: Events[EventName]) => boolean>> = {
  removeFiles: (payload) => (payload as Events['media.removed']).mediaKeys.length > 0,
}

/** Job keys of effects of which only one job per key waits. Delayed jobs have other keys than immediate ones. */
const JOB_KEY_OF: Partial<Record<string, (payload: Events[EventName]) => string>> = {
  deliverToHost: (payload) => `delivery:${(payload as Events['deliveries.due']).domain}`,
  // These take minutes, so each has a job of its own.
  runRetention: () => 'retention',
  purgeMediaCache: () => 'media-purge',
  measureMediaUsage: () => 'media-usage',
  endPoll: (payload) => `poll:${(payload as Events['poll.due']).pollId}`,
  deliverPollVotes: (payload) => `poll-votes:${(payload as Events['poll.votes_changed']).statusId}`,
  deliverWebhook: (payload) => `webhook-delivery:${(payload as Events['webhook_delivery.due']).deliveryId}`,
  // One job per user, so that imports of one user run one after the other.
  runImports: (payload) => `imports:${(payload as Events['account_import.due']).accountId}`,
  importPosts: (payload) => `post-imports:${(payload as Events['account_import.posts_due']).accountId}`,
  undoArchiveImport: (payload) => `undo-import:${(payload as Events['account_import.undo_due']).importId}`,
  buildArchive: (payload) => `archive:${(payload as Events['account_archive.requested']).archiveId}`,
  purgeAccount: (payload) => {
    const { accountId, returningUri } = payload as Events['account.purge_requested']
    return `purge:${accountId}${returningUri === undefined ? '' : ' returning'}`
  },
  fetchCard: (payload) => `card:${(payload as Events['link.fetch_due']).linkId}`,
  verifyLinks: (payload) => `verify-links:${(payload as Events['account.updated']).accountId}`,
}

/**
 * The effects of each event that share one job, which costs much less than a job for each. A failed effect is retried
 * in a separate job. Effects of other queues, with a key or with a delay always have separate jobs.
 */
export const effectBatches: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(effects).flatMap(([event, row]) => {
    const isSeparate = (name: string) => Object.hasOwn(JOB_KEY_OF, name) || Object.hasOwn(DELAY_MS_BY_EFFECT, name)
    const names = Object.keys(row).filter((name) => queueOf(name) === 'default' && !isSeparate(name))
    return names.length > 1 ? [[event, names]] : []
  }),
)

/** The names of all jobs. Jobs with other names are parked. */
export const jobNames: readonly string[] = [
  ...new Set([...Object.keys(effectBatches), ...Object.values(effects).flatMap((row) => Object.keys(row))]),
]

/** Returns the jobs of an event, which run after `delayMs`, or else after the delay of the effect. */
export function jobsOf<Name extends EventName>(name: Name, payload: Events[Name], delayMs?: number): JobSpec[] {
  const batched = effectBatches[name] ?? []
  const separate = Object.keys(effects[name]).filter(
    (effect) => !batched.includes(effect) && (HAS_WORK[effect]?.(payload) ?? true),
  )
  return [...(batched.length > 0 ? [name] : []), ...separate].map((job) => {
    const key = JOB_KEY_OF[job]?.(payload)
    const totalDelayMs = delayMs ?? DELAY_MS_BY_EFFECT[job]
    return {
      name: job,
      queue: queueOf(job),
      payload,
      maxAttempts: MAX_ATTEMPTS_BY_EFFECT[job] ?? MAX_ATTEMPTS,
      key: key !== undefined && delayMs !== undefined ? `${key} delayed` : key,
      ...(totalDelayMs !== undefined && { delayMs: totalDelayMs }),
    }
  })
}

/** Returns a separate job for a failed effect of a shared job, with the remaining attempts. */
export function retryJob(name: string, payload: unknown): JobSpec {
  return { name, payload, maxAttempts: MAX_ATTEMPTS - 1 }
}

/**
 * Returns the job of a postponed effect, with all its attempts. Its key prevents duplicates. It has a hash of the
 * payload, because an index contains it and some payloads name hundreds of files.
 */
export function postponedJob(name: string, payload: unknown, delayMs: number): JobSpec {
  const key = `postponed:${name} ${hash('sha256', JSON.stringify(payload))}`
  return {
    name,
    queue: queueOf(name),
    payload,
    maxAttempts: MAX_ATTEMPTS_BY_EFFECT[name] ?? MAX_ATTEMPTS,
    key,
    delayMs,
  }
}
