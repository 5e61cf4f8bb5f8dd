import type { Ctx, Tx } from '../../../domain/context.ts'
import { createBatch } from '../../../platform/create-batch.ts'
import { statement } from '../../../platform/db/statement.ts'
import { markHostsReachable } from './mark-hosts-reachable.ts'
import type { SignedInteraction } from '../ordering/read-signed-interaction.ts'

/** An accepted activity, to be processed later. */
export interface AcceptedActivity {
  /**
   * The canonical host to mark as reachable, because its key verifiably signed the request; null if it is unverified or
   * was recently marked.
   */
  reachableHost: string | null
  /** The id of the actor that sent it. */
  actorUri: string
  /** Unique per sender: another activity with the same key is ignored. */
  deduplicationKey: string
  /** A repetition is stored, too, once for each personal inbox: each delivery lets one account read the object. */
  countsInEachInbox?: boolean
  /** The account in whose personal inbox it arrived; null for the shared inbox. */
  inboxAccountId: string | null
  /**
   * The JSON of the body; null if nothing is stored, because the activity has no effect. Its host is marked reachable.
   */
  body: string | null
  /** The keys for ordering, if it is an interaction or the Undo of one. */
  interaction?: SignedInteraction | null
}

/** The beginning of the key under which a repetition in a personal inbox is stored. Ids of activities are URLs. */
export const REPETITION_PREFIX = 'inbox:'

/** The total size of the bodies in one statement. */
const MAX_BATCH_CHARACTERS = 4 * 1024 * 1024

// Sorted, so that two transactions that insert the same activities do not deadlock.
const insertActivities = statement<{
  params: {
    actorUris: readonly string[]
    deduplicationKeys: readonly string[]
    inboxAccountIds: readonly (string | null)[]
    bodies: readonly (string | null)[]
    now: Date
    interactionKeys: readonly (string | null)[]
    relationshipKeys: readonly (string | null)[]
    areUndos: readonly boolean[]
    signedAt: readonly (Date | null)[]
  }
  row: { id: string; actor_uri: string; activity_id: string; inbox_account_id: string | null }
}>(
  `insert into received_activities (actor_uri, activity_id, inbox_account_id, body, received_at,
     interaction_key, relationship_key, is_undo, signed_at)
   select a.actor_uri, a.deduplication_key, a.inbox_account_id, a.body::jsonb, $now,
     a.interaction_key, a.relationship_key, a.is_undo, a.signed_at
   from unnest($actorUris::text[], $deduplicationKeys::text[], $inboxAccountIds::bigint[], $bodies::text[],
     $interactionKeys::text[], $relationshipKeys::text[], $areUndos::boolean[], $signedAt::timestamptz[])
     as a (actor_uri, deduplication_key, inbox_account_id, body, interaction_key, relationship_key, is_undo, signed_at)
   order by a.actor_uri, a.deduplication_key
   on conflict (actor_uri, activity_id) do nothing returning id, actor_uri, activity_id, inbox_account_id`,
)

/** How long after several simultaneous activities more of them are expected. */
const BURST_MS = 100

/** When several activities were last stored together, by database, in milliseconds of `performance.now`. */
const lastBursts = new WeakMap<Ctx['db'], number>()

/** Returns whether this process currently receives many activities. */
export function isReceivingBurst({ db }: Pick<Ctx, 'db'>): boolean {
  return performance.now() - (lastBursts.get(db) ?? Number.NEGATIVE_INFINITY) < BURST_MS
}

const storeActivitiesBatched = createBatch(
  async (ctx: Ctx, items: readonly AcceptedActivity[]) => {
    await ctx.write((tx) => storeActivities(tx, items))
    if (items.length > 1) lastBursts.set(ctx.db, performance.now())
    return items
  },
  { maxItems: 100, maxWeight: MAX_BATCH_CHARACTERS, weigh: ({ body }) => body?.length ?? 0 },
)

async function storeActivities(tx: Tx, all: readonly AcceptedActivity[]): Promise<void> {
  const hosts = new Set(all.map(({ reachableHost }) => reachableHost).filter((host) => host !== null))
  if (hosts.size > 0) await markHostsReachable(tx, { domains: [...hosts] })
  const items = all.filter(({ body }) => body !== null)
  const stored = await insertAll(tx, items)
  const repeated = items.filter(
    (item) => item.countsInEachInbox && item.inboxAccountId !== null && !stored.has(keyOf(item)),
  )
  const repetitions = repeated.map((item) => ({
    ...item,
    deduplicationKey: `${REPETITION_PREFIX}${item.inboxAccountId} ${item.deduplicationKey}`,
  }))
  await insertAll(tx, repetitions)
}

/** Stores those activities whose keys are new, with their jobs. Returns the stored ones, by `keyOf`. */
async function insertAll(tx: Tx, items: readonly AcceptedActivity[]): Promise<ReadonlySet<string>> {
  if (items.length === 0) return new Set()
  const rows = await insertActivities(tx.db, {
    actorUris: items.map(({ actorUri }) => actorUri),
    deduplicationKeys: items.map(({ deduplicationKey }) => deduplicationKey),
    inboxAccountIds: items.map(({ inboxAccountId }) => inboxAccountId),
    bodies: items.map(({ body }) => body),
    now: tx.now,
    interactionKeys: items.map(({ interaction }) => interaction?.interactionKey ?? null),
    relationshipKeys: items.map(({ interaction }) => interaction?.relationshipKey ?? null),
    areUndos: items.map(({ interaction }) => interaction?.isUndo ?? false),
    signedAt: items.map(({ interaction }) => interaction?.signedAt ?? null),
  })
  for (const { id } of rows) tx.emit('activity.received', { activityId: id })
  return new Set(
    rows.map((row) =>
      keyOf({ actorUri: row.actor_uri, deduplicationKey: row.activity_id, inboxAccountId: row.inbox_account_id }),
    ),
  )
}

function keyOf({
  actorUri,
  deduplicationKey,
  inboxAccountId,
}: Pick<AcceptedActivity, 'actorUri' | 'deduplicationKey' | 'inboxAccountId'>): string {
  return [actorUri, deduplicationKey, inboxAccountId].join(' ')
}

/**
 * Stores an accepted activity, unless it is a repetition, with the job that processes it. Returns when that is
 * committed, in one transaction with activities that arrived at the same time.
 */
export async function storeActivity(ctx: Ctx, item: AcceptedActivity): Promise<void> {
  if (item.body !== null || item.reachableHost !== null) await storeActivitiesBatched(ctx, item)
}
