import type { Ctx, Tx } from '../../domain/context.ts'
import { lockUris } from '../../domain/lock-uris.ts'
import { exhume } from '../../domain/tombstones.ts'
import { statement } from '../../platform/db/statement.ts'
import type { InteractionKeys } from './interactions.ts'

/** One delivery of an interaction, or of its Undo, as it is stored. */
export interface ReceivedInteraction extends InteractionKeys {
  /** In the order of receipt. */
  id: string
  signedAt: Date
}

/** An Undo that comes before what it undoes cancels it for so long. */
const EARLY_UNDO_HOURS = 6

/**
 * Whether a delivery `d` is the one that an earlier received Undo was for, as SQL: the first under its id. A delivery is
 * not the first if another one came before, or an Undo that ended something.
 */
const isCancelled = (d: string) => `(exists (
    select from received_activities u
    where u.interaction_key = ${d}.interaction_key and u.id < ${d}.id and u.is_undo
      and u.received_at > ${d}.received_at - interval '${EARLY_UNDO_HOURS} hours')
  and not exists (
    select from received_activities r
    where r.interaction_key = ${d}.interaction_key and r.id < ${d}.id and (not r.is_undo or r.had_effect)))`

/** Whether `r` was signed after the delivery $id of $signedAt, as SQL; of one second, whether it was received after it. */
const isLater = (r: string) => `(${r}.signed_at, ${r}.id) > ($signedAt::timestamptz, $id::bigint)`

// $interactionKey the interaction key, $relationKey the relation key. A favourite lasts until each Like that made it is undone, so only an Undo
// without an id ends those of other ids; a follow, a boost and a block are one each, whatever their ids.
const findReasonAgainst = statement<{ params: Omit<ReceivedInteraction, 'isUndo'> }>(
  `select from received_activities d where d.id = $id::bigint and ${isCancelled('d')}
   union all
   select from received_activities u where u.interaction_key = $interactionKey and u.is_undo and ${isLater('u')}
   union all
   select from received_activities u where u.relation_key = $relationKey and u.is_undo and ${isLater('u')}
     and (u.relation_key not like 'Like %' or u.interaction_key is null)
   union all
   select from received_activities d join received_activities u on u.interaction_key = d.interaction_key
   where d.relation_key = $relationKey and d.relation_key not like 'Like %' and not d.is_undo and u.is_undo and ${isLater('u')}
   limit 1`,
)
const findLaterInteraction = statement<{ params: Omit<ReceivedInteraction, 'isUndo'> }>(
  `select from received_activities d
   where d.interaction_key = $interactionKey and not d.is_undo and ${isLater('d')} and not ${isCancelled('d')}
   union all
   select from received_activities d
   where d.relation_key = $relationKey and not d.is_undo and ${isLater('d')} and not ${isCancelled('d')}
     and (d.relation_key not like 'Like %' or $interactionKey::text is null)
   union all
   select from received_activities named join received_activities d on d.relation_key = named.relation_key
   where named.interaction_key = $interactionKey and not named.is_undo and named.relation_key not like 'Like %'
     and not d.is_undo and ${isLater('d')} and not ${isCancelled('d')}
   limit 1`,
)
const findUndo = statement<{ params: { interactionKey: string | null } }>(
  `select from received_activities where interaction_key = $interactionKey and is_undo limit 1`,
)
const findNamed = statement<{ params: Omit<ReceivedInteraction, 'isUndo'> }>(
  `select from received_activities d where d.interaction_key = $interactionKey and not d.is_undo
   union all
   select from received_activities d where d.relation_key = $relationKey and not d.is_undo and ${isLater('d')}
   limit 1`,
)
const markEffect = statement<{ params: { interactionId: string } }>(
  `update received_activities set had_effect = true where id = $interactionId`,
)

/** Takes the locks under which the order of interactions is decided: each sees those that were decided before. */
async function lockInteraction(
  tx: Tx,
  { interaction: { interactionKey, relationKey }, uri }: { interaction: ReceivedInteraction; uri: string | null },
): Promise<void> {
  await lockUris(tx, { uris: [interactionKey, relationKey, uri].filter((one) => one !== null) })
}

interface Ordered {
  interaction: ReceivedInteraction | null
  /** The id of the interaction. */
  uri: string | null
}

/**
 * Does a Follow, Like, Announce or Block, unless an Undo that was signed later has been received, or the Undo came first.
 * Whatever order deliveries arrive in, the one that was signed last decides.
 */
export async function applyInteraction(
  ctx: Ctx,
  { interaction, uri, actor, work }: Ordered & { actor: string; work: (tx: Tx) => Promise<unknown> },
): Promise<void> {
  await ctx.write(async (tx) => {
    if (interaction) {
      await lockInteraction(tx, { interaction, uri })
      if ((await findReasonAgainst(tx.db, interaction)).length > 0) return
      // It was undone before and is done again: the tombstone of that Undo must not stop it.
      const undos = await findUndo(tx.db, { interactionKey: interaction.interactionKey })
      if (uri !== null && undos.length > 0) await exhume(tx, { uri, ownerUri: actor })
    }
    await work(tx)
  })
}

/**
 * Undoes one, unless the same actor did it again later. `work` returns whether the interaction was in place under the id
 * that the Undo names.
 */
export async function undoInteraction(
  ctx: Ctx,
  { interaction, uri, work }: Ordered & { work: (tx: Tx) => Promise<boolean> },
): Promise<void> {
  await ctx.write(async (tx) => {
    if (interaction) {
      await lockInteraction(tx, { interaction, uri })
      if ((await findLaterInteraction(tx.db, interaction)).length > 0) return
    }
    const hadEffect = await work(tx)
    if (interaction && hadEffect) await markEffect(tx.db, { interactionId: interaction.id })
  })
}

/**
 * Returns whether an Undo names an id under which nothing was received, and nothing newer of the same actor, kind and
 * object was: some servers name a new id, and mean whatever is there.
 */
export async function namesUnknownId(tx: Tx, { interaction }: { interaction: ReceivedInteraction }): Promise<boolean> {
  return (await findNamed(tx.db, interaction)).length === 0
}
