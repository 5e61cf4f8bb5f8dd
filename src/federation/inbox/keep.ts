import type { Ctx, Tx } from '../../domain/context.ts'
import { createBatch } from '../../platform/batch.ts'
import { statement } from '../../platform/db/statement.ts'
import { hearFrom } from './hear-from.ts'
import type { SignedInteraction } from './interactions.ts'

/** What was accepted, to be understood later. */
export interface Kept {
  /** The host, canonical, with a key of which the request was proven to be signed: so it is reachable again. null: none. */
  signedBy: string | null
  /** The id of whoever sent it. */
  actorUri: string
  /** Under what it is remembered: of one sender never twice. */
  name: string
  /** Whose own inbox it came to; null: the shared one. */
  inboxAccountId: string | null
  /** JSON; null: nothing is stored, as the activity has no effect here. Its host still counts as reachable. */
  body: string | null
  /** How it is ordered among the others of its sender, if it is an interaction or the Undo of one. */
  interaction?: SignedInteraction | null
}

/** Bodies that one statement carries. */
const MAX_BATCH_CHARACTERS = 4 * 1024 * 1024

// In order, so that two transactions that keep the same never wait for each other in a circle.
const insert = statement<{
  params: {
    actorUris: readonly string[]
    names: readonly string[]
    inboxAccountIds: readonly (string | null)[]
    bodies: readonly (string | null)[]
    now: Date
    interactionKeys: readonly (string | null)[]
    relationKeys: readonly (string | null)[]
    undos: readonly boolean[]
    signedAt: readonly (Date | null)[]
  }
  row: { id: string }
}>(
  `insert into received_activities (actor_uri, activity_id, inbox_account_id, body, received_at,
     interaction_key, relation_key, is_undo, signed_at)
   select a.actor_uri, a.name, a.inbox_account_id, a.body::jsonb, $now,
     a.interaction_key, a.relation_key, a.is_undo, a.signed_at
   from unnest($actorUris::text[], $names::text[], $inboxAccountIds::bigint[], $bodies::text[], $interactionKeys::text[],
     $relationKeys::text[], $undos::boolean[], $signedAt::timestamptz[]) as a (actor_uri, name, inbox_account_id, body, interaction_key, relation_key, is_undo,
       signed_at)
   order by a.actor_uri, a.name
   on conflict (actor_uri, activity_id) do nothing returning id`,
)

const keepMany = createBatch(
  async (ctx: Ctx, items: readonly Kept[]) => {
    await ctx.write((tx) => keepAll(tx, items))
    return items
  },
  { maxItems: 100, maxWeight: MAX_BATCH_CHARACTERS, weigh: ({ body }) => body?.length ?? 0 },
)

async function keepAll(tx: Tx, all: readonly Kept[]): Promise<void> {
  const hosts = new Set(all.map(({ signedBy }) => signedBy).filter((host) => host !== null))
  await hearFrom(tx, { domains: [...hosts] })
  const items = all.filter(({ body }) => body !== null)
  if (items.length === 0) return
  const rows = await insert(tx.db, {
    actorUris: items.map(({ actorUri }) => actorUri),
    names: items.map(({ name }) => name),
    inboxAccountIds: items.map(({ inboxAccountId }) => inboxAccountId),
    bodies: items.map(({ body }) => body),
    now: tx.now,
    interactionKeys: items.map(({ interaction }) => interaction?.interactionKey ?? null),
    relationKeys: items.map(({ interaction }) => interaction?.relationKey ?? null),
    undos: items.map(({ interaction }) => interaction?.isUndo ?? false),
    signedAt: items.map(({ interaction }) => interaction?.signedAt ?? null),
  })
  for (const { id } of rows) tx.emit('activity.received', { activityId: id })
}

/**
 * Keeps what was accepted, once, with the job that understands it. It returns when that is committed, together with
 * whatever came at the same time.
 */
export async function keep(ctx: Ctx, item: Kept): Promise<void> {
  await keepMany(ctx, item)
}
