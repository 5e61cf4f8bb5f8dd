import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'
import { checkCollection } from './check.ts'
import type { CollectionTexts } from './check.ts'
import { holdOwnCollection } from './find.ts'
import { ensureTopic } from './topic.ts'

const change = statement<{ wasDiscoverable: boolean }>(
  `update collections c set name = wanted.name, description = wanted.description, language = wanted.language,
     sensitive = wanted.sensitive, discoverable = wanted.discoverable, tag_id = wanted.tag_id, updated_at = $2
   from (
     select id, discoverable as was, coalesce($3, name) as name, coalesce($4, description) as description,
       case when $5 then $6 else language end as language, coalesce($7::boolean, sensitive) as sensitive,
       coalesce($8::boolean, discoverable) as discoverable, case when $9 then $10::bigint else tag_id end as tag_id
     from collections where id = $1
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
  const [changed] = await change(tx.db, [
    id,
    tx.now,
    name ?? null,
    description ?? null,
    language !== undefined,
    language ?? null,
    sensitive ?? null,
    discoverable ?? null,
    topic !== undefined,
    tagId,
  ])
  if (changed) tx.emit('collection.updated', { collectionId: id, ...changed })
}
