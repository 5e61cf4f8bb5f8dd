import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { checkCollection } from './check-collection.ts'
import type { CollectionTexts } from './check-collection.ts'
import { lockOwnCollection } from './find-collection.ts'
import { ensureUsableTag } from './collection-tag.ts'

const updateRow = statement<{
  params: {
    id: string
    now: Date
    name: string | null
    description: string | null
    changesLanguage: boolean
    language: string | null
    sensitive: boolean | null
    discoverable: boolean | null
    changesTag: boolean
    tagId: string | null
  }
  row: { wasDiscoverable: boolean }
}>(
  `update collections c set name = updated.name, description = updated.description, language = updated.language,
     sensitive = updated.sensitive, discoverable = updated.discoverable, tag_id = updated.tag_id, updated_at = $now
   from (
     select id, discoverable as was, coalesce($name, name) as name, coalesce($description, description) as description,
       case when $changesLanguage then $language else language end as language, coalesce($sensitive::boolean,
         sensitive) as sensitive,
       coalesce($discoverable::boolean, discoverable) as discoverable, case when $changesTag then $tagId::bigint else tag_id end as tag_id
     from collections where id = $id
   ) updated
   where c.id = updated.id
     and (c.name, c.description, c.language, c.sensitive, c.discoverable, c.tag_id) is distinct from
       (updated.name, updated.description, updated.language, updated.sensitive, updated.discoverable, updated.tag_id)
   returning updated.was as "wasDiscoverable"`,
)

/**
 * Updates the properties of a collection. Does nothing if none of them changes.
 * @throws NotFoundError
 * @throws ForbiddenError for a collection of another account
 * @throws ValidationError
 */
export async function updateCollection(
  tx: Tx,
  { id, accountId, texts }: { id: string; accountId: string; texts: CollectionTexts },
): Promise<void> {
  await lockOwnCollection(tx, { id, accountId })
  const { name, description, language, sensitive, discoverable, tag } = checkCollection(texts)
  const tagId = tag ? await ensureUsableTag(tx, tag) : null
  const [changed] = await updateRow(tx.db, {
    id,
    now: tx.now,
    name: name ?? null,
    description: description ?? null,
    changesLanguage: language !== undefined,
    language: language ?? null,
    sensitive: sensitive ?? null,
    discoverable: discoverable ?? null,
    changesTag: tag !== undefined,
    tagId,
  })
  if (changed) tx.emit('collection.updated', { collectionId: id, ...changed })
}
