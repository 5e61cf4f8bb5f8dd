import { ConflictError, ForbiddenError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { lockUris } from '../../core/lock-uris.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { hasTombstone } from '../../core/tombstones.ts'
import { REMOTE_COLLECTION_LIMITS } from '../limits.ts'
import { ensureCollectionTag } from '../collection-tag.ts'

/** The properties of a remote collection, from its ActivityPub document. */
export interface RemoteCollectionFacts {
  uri: string
  /** The address of its page; null: unknown. */
  url: string | null
  name: string
  /** Sanitised HTML. */
  description: string
  language: string | null
  sensitive: boolean
  discoverable: boolean
  /** Its hashtag: `name` is normalised, `display` as written. */
  tag: { name: string; display: string } | null
  /** The number of items that the remote server states. */
  itemCount: number | null
  publishedAt: Date | null
  updatedAt: Date | null
}

const findOwner = statement<{
  params: { accountId: string; uri: string }
  row: { uri: string; existing: number; known: boolean }
}>(
  `select a.uri, (select count(*)::int from collections c where c.account_id = a.id) as existing,
     exists (select from collections c where c.uri = $uri and c.account_id = a.id) as known
   from accounts a where a.id = $accountId and a.domain is not null and a.suspended_at is null`,
)
const upsert = statement<{
  params: {
    accountId: string
    uri: string
    url: string | null
    name: string
    description: string
    language: string | null
    sensitive: boolean
    discoverable: boolean
    tagId: string | null
    itemCount: number | null
    publishedAt: Date | null
    updatedAt: Date | null
    now: Date
  }
  row: { id: string }
}>(
  `insert into collections (account_id, uri, local, url, name, description, language, sensitive, discoverable, tag_id,
     origin_item_count, created_at, updated_at)
   values ($accountId, $uri, false, $url, $name, $description, $language, $sensitive, $discoverable, $tagId,
     $itemCount, coalesce($publishedAt::timestamptz, $now::timestamptz),
     coalesce($updatedAt::timestamptz, $publishedAt::timestamptz, $now::timestamptz))
   on conflict (uri) do update set url = excluded.url, name = excluded.name, description = excluded.description,
     language = excluded.language, sensitive = excluded.sensitive, discoverable = excluded.discoverable,
     tag_id = excluded.tag_id, origin_item_count = excluded.origin_item_count,
     updated_at = greatest(collections.updated_at, excluded.updated_at)
     where collections.account_id = excluded.account_id
   returning id`,
)

/**
 * Records a new or changed remote collection and returns its id.
 * @throws ForbiddenError for a deleted collection, a suspended owner, and above the limit of collections per owner
 * @throws ConflictError if the collection belongs to another account
 */
export async function recordRemoteCollection(
  tx: Tx,
  { accountId, facts }: { accountId: string; facts: RemoteCollectionFacts },
): Promise<string> {
  const { uri, tag } = facts
  await lockUris(tx, { uris: [uri] })
  await lockAccounts(tx, { ids: [accountId] })
  const [owner] = await findOwner(tx.db, { accountId, uri })
  if (!owner || (await hasTombstone(tx, { uri, ownerUri: owner.uri }))) throw new ForbiddenError()
  if (!owner.known && owner.existing >= REMOTE_COLLECTION_LIMITS.collections) throw new ForbiddenError()
  const tagId = tag ? (await ensureCollectionTag(tx, tag)).id : null
  const [row] = await upsert(tx.db, {
    accountId,
    uri,
    url: facts.url,
    name: facts.name,
    description: facts.description,
    language: facts.language,
    sensitive: facts.sensitive,
    discoverable: facts.discoverable,
    tagId,
    itemCount: facts.itemCount,
    publishedAt: facts.publishedAt,
    updatedAt: facts.updatedAt,
    now: tx.now,
  })
  if (!row) throw new ConflictError()
  return row.id
}

/** An item of a remote collection whose approval has been verified. */
export interface RemoteItemFacts {
  uri: string
  accountId: string
  approvalUri: string
  addedAt: Date | null
}

const lockCollection = statement<{ params: { collectionId: string }; row: { items: number } }>(
  `select (select count(*)::int from collection_items i where i.collection_id = c.id) as items
   from collections c where c.id = $collectionId and not c.local for no key update of c`,
)
// Inserts remote accounts only. A local account is featured by an approval of this server alone; of its item, only the
// id is recorded.
const insertItem = statement<{
  params: {
    collectionId: string
    accountId: string
    uri: string
    approvalUri: string
    addedAt: Date | null
    now: Date
  }
}>(
  `insert into collection_items (collection_id, account_id, state, uri, approval_uri, created_at)
   select $collectionId, a.id, 'accepted', $uri, $approvalUri, coalesce($addedAt::timestamptz, $now::timestamptz)
   from accounts a where a.id = $accountId and a.domain is not null and a.suspended_at is null
   on conflict do nothing`,
)
const updateItem = statement<{ params: { collectionId: string; accountId: string; uri: string; approvalUri: string } }>(
  `update collection_items i set uri = $uri,
     approval_uri = case when a.domain is null then i.approval_uri else $approvalUri end,
     state = case when a.domain is null then i.state else 'accepted' end
   from accounts a
   where i.collection_id = $collectionId and i.account_id = $accountId and a.id = i.account_id
     and not exists (select from collection_items other where other.uri = $uri and other.id <> i.id)
   returning i.id`,
)

/** Records an item of a remote collection. Ignores new items above the limit. */
export async function recordRemoteCollectionItem(
  tx: Tx,
  { collectionId, item }: { collectionId: string; item: RemoteItemFacts },
): Promise<void> {
  const [collection] = await lockCollection(tx.db, { collectionId })
  if (!collection) return
  const { uri, accountId, approvalUri, addedAt } = item
  const values = { collectionId, accountId, uri, approvalUri }
  const known = await updateItem(tx.db, values)
  if (known.length > 0 || collection.items >= REMOTE_COLLECTION_LIMITS.items) return
  await insertItem(tx.db, { ...values, addedAt, now: tx.now })
}
