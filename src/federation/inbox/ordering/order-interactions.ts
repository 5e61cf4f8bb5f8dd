import type { Ctx, Tx } from '../../../domain/context.ts'
import { lockUris } from '../../../domain/core/lock-uris.ts'
import { removeTombstone } from '../../../domain/core/tombstones.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { InteractionKeys } from './read-signed-interaction.ts'

/** A stored delivery of an interaction or of its Undo. */
export interface ReceivedInteraction extends InteractionKeys {
  /** The id of the row; ids increase in the order of receipt. */
  id: string
  signedAt: Date
}

/** How long an Undo that arrives before its activity cancels that activity. */
const EARLY_UNDO_HOURS = 6

/**
 * Returns an SQL condition: the delivery `d` is the one that an Undo received earlier was for, which is the first
 * delivery with its id. A delivery is not the first if another one was received before, or an Undo that had an effect.
 */
const isCancelled = (d: string) => `(exists (
    select from received_activities u
    where u.interaction_key = ${d}.interaction_key and u.id < ${d}.id and u.is_undo
      and u.received_at > ${d}.received_at - interval '${EARLY_UNDO_HOURS} hours')
  and not exists (
    select from received_activities r
    where r.interaction_key = ${d}.interaction_key and r.id < ${d}.id and (not r.is_undo or r.was_applied)))`

/** Returns an SQL condition: `r` was signed after the delivery $id or, in the same second, received after it. */
const isLater = (r: string) => `(${r}.signed_at, ${r}.id) > ($signedAt::timestamptz, $id::bigint)`

// A favourite lasts until each Like that created it is undone, so an Undo ends Likes with other ids only if it names no
// id. Of follows, reblogs and blocks there is only one per relationship, whatever the ids of the activities.
const findOverridingUndo = statement<{ params: Omit<ReceivedInteraction, 'isUndo'> }>(
  `select from received_activities d where d.id = $id::bigint and ${isCancelled('d')}
   union all
   select from received_activities u where u.interaction_key = $interactionKey and u.is_undo and ${isLater('u')}
   union all
   select from received_activities u where u.relationship_key = $relationshipKey and u.is_undo and ${isLater('u')}
     and (u.relationship_key not like 'Like %' or u.interaction_key is null)
   union all
   select from received_activities d join received_activities u on u.interaction_key = d.interaction_key
   where d.relationship_key = $relationshipKey and d.relationship_key not like 'Like %' and not d.is_undo
     and u.is_undo and ${isLater('u')}
   limit 1`,
)
const findLaterInteraction = statement<{ params: Omit<ReceivedInteraction, 'isUndo'> }>(
  `select from received_activities d
   where d.interaction_key = $interactionKey and not d.is_undo and ${isLater('d')} and not ${isCancelled('d')}
   union all
   select from received_activities d
   where d.relationship_key = $relationshipKey and not d.is_undo and ${isLater('d')} and not ${isCancelled('d')}
     and (d.relationship_key not like 'Like %' or $interactionKey::text is null)
   union all
   select from received_activities named join received_activities d on d.relationship_key = named.relationship_key
   where named.interaction_key = $interactionKey and not named.is_undo and named.relationship_key not like 'Like %'
     and not d.is_undo and ${isLater('d')} and not ${isCancelled('d')}
   limit 1`,
)
const findLaterUpdate = statement<{ params: { id: string; relationshipKey: string | null; signedAt: Date } }>(
  `select from received_activities u where u.relationship_key = $relationshipKey and ${isLater('u')} limit 1`,
)
const findUndo = statement<{ params: { interactionKey: string | null } }>(
  `select from received_activities where interaction_key = $interactionKey and is_undo limit 1`,
)
const findReferencedInteraction = statement<{ params: Omit<ReceivedInteraction, 'isUndo'> }>(
  `select from received_activities d where d.interaction_key = $interactionKey and not d.is_undo
   union all
   select from received_activities d where d.relationship_key = $relationshipKey and not d.is_undo and ${isLater('d')}
   limit 1`,
)
const markEffect = statement<{ params: { interactionId: string } }>(
  `update received_activities set was_applied = true where id = $interactionId`,
)

/** Locks the keys of an interaction, so that each transaction sees the interactions that were ordered before it. */
async function lockInteraction(
  tx: Tx,
  { interaction: { interactionKey, relationshipKey }, uri }: { interaction: ReceivedInteraction; uri: string | null },
): Promise<void> {
  await lockUris(tx, { uris: [interactionKey, relationshipKey, uri].filter((one) => one !== null) })
}

/** Returns whether an Update of the same actor that was signed later has been received. */
export async function isSuperseded(tx: Tx, { id, relationshipKey, signedAt }: ReceivedInteraction): Promise<boolean> {
  return (await findLaterUpdate(tx.db, { id, relationshipKey, signedAt })).length > 0
}

interface OrderedInteraction {
  interaction: ReceivedInteraction | null
  /** The id of the interaction. */
  uri: string | null
}

/**
 * Performs a Follow, Like, Announce or Block, unless an Undo that was signed later has been received, or an Undo of it
 * was received first. The activity that was signed last decides, in whatever order the deliveries arrive.
 */
export async function applyInteraction(
  ctx: Ctx,
  { interaction, uri, actor, work }: OrderedInteraction & { actor: string; work: (tx: Tx) => Promise<unknown> },
): Promise<void> {
  await ctx.write(async (tx) => {
    if (interaction) {
      await lockInteraction(tx, { interaction, uri })
      if ((await findOverridingUndo(tx.db, interaction)).length > 0) return
      // It was undone before and is done again, so the tombstone of that Undo must not prevent it.
      const undos = await findUndo(tx.db, { interactionKey: interaction.interactionKey })
      if (uri !== null && undos.length > 0) await removeTombstone(tx, { uri, ownerUri: actor })
    }
    await work(tx)
  })
}

/**
 * Undoes an interaction, unless the same actor did it again later. `work` returns whether the interaction was stored
 * under the id that the Undo names.
 */
export async function undoInteraction(
  ctx: Ctx,
  { interaction, uri, work }: OrderedInteraction & { work: (tx: Tx) => Promise<boolean> },
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
 * Returns whether an Undo names an id with which nothing was received, while nothing newer with the same actor, type
 * and object was received, either. Some servers name a new id in an Undo and mean any interaction with that object.
 */
export async function refersToUnknownId(
  tx: Tx,
  { interaction }: { interaction: ReceivedInteraction },
): Promise<boolean> {
  return (await findReferencedInteraction(tx.db, interaction)).length === 0
}
