import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { checkCollection } from './check.ts'
import type { CollectionTexts } from './check.ts'
import { holdOwnCollection } from './find.ts'
import { ensureTopic } from './topic.ts'

const change = statement<{
  params: {
    id: string
    now: Date
    name: string | null
    description: string | null
    changesLanguage: boolean
    language: string | null
    sensitive: boolean | null
    discoverable: boolean | null
    changesTopic: boolean
    tagId: string | null
  }
  row: { wasDiscoverable: boolean }
}>(
  `update collections c set name = wanted.name, description = wanted.description, language = wanted.language,
     sensitive = wanted.sensitive, discoverable = wanted.discoverable, tag_id = wanted.tag_id, updated_at = $now
   from (
     select id, discoverable as was, coalesce($name, name) as name, coalesce($description, description) as description,
       case when $changesLanguage then $language else language end as language, coalesce($sensitive::boolean,
         sensitive) as sensitive,
       coalesce($discoverable::boolean, discoverable) as discoverable, case when $changesTopic then $tagId::bigint else tag_id end as tag_id
     from collections where id = $id
   ) wanted
   where c.id = wanted.id
     and (c.name, c.description, c.language, c.sensitive, c.discoverable, c.tag_id) is distinct from
       (wanted.name, wanted.description, wanted.language, wanted.sensitive, wanted.discoverable, wanted.tag_id)
   returning wanted.was as "wasDiscoverable"`,
)

/**
 * Changes what the owner says of a collection. Saying the same again changes nothing.
 * @throws NotFound · Forbidden when it is another's · ValidationFailed
 */
export async function updateCollection(
  tx: Tx,
  { id, accountId, texts }: { id: string; accountId: string; texts: CollectionTexts },
): Promise<void> {
  await holdOwnCollection(tx, { id, accountId })
  const { name, description, language, sensitive, discoverable, topic } = checkCollection(texts)
  const tagId = topic ? await ensureTopic(tx, topic) : null
  const [changed] = await change(tx.db, {
    id,
    now: tx.now,
    name: name ?? null,
    description: description ?? null,
    changesLanguage: language !== undefined,
    language: language ?? null,
    sensitive: sensitive ?? null,
    discoverable: discoverable ?? null,
    changesTopic: topic !== undefined,
    tagId,
  })
  if (changed) tx.emit('collection.updated', { collectionId: id, ...changed })
}
