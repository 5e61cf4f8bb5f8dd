import { collectionUri } from '../../domain/collections/collection-uris.ts'
import type { CachedRead, Read } from '../../domain/context.ts'
import { blocksDomainOf } from '../../domain/access/user-domain-blocks.ts'
import { usableAccount } from '../../domain/access/usable-account.ts'
import type { Collection, CollectionItem, CollectionWithAccounts } from '../../entities/accounts/collection.ts'
import { entity, entityJson } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { renderAccounts } from '../accounts/render-accounts.ts'

interface CollectionRow {
  id: string
  uri: string
  url: string | null
  account_id: string
  name: string
  description: string
  language: string | null
  local: boolean
  sensitive: boolean
  discoverable: boolean
  tag_name: string | null
  tag_display: string | null
  origin_item_count: number | null
  created_at: Date
  updated_at: Date
}

interface ItemRow {
  id: string
  collection_id: string
  account_id: string
  state: CollectionItem['state']
  created_at: Date
  /** False if the viewer or the account blocks the other one. */
  shown: boolean
}

const selectCollections = statement<{ params: { ids: readonly string[] }; row: CollectionRow }>(
  `select c.id, ${collectionUri()} as uri, c.url, c.account_id, c.name, c.description, c.language, c.local, c.sensitive,
     c.discoverable, t.name as tag_name, t.display_name as tag_display, c.origin_item_count, c.created_at, c.updated_at
   from unnest($ids::bigint[]) with ordinality as ids (id, position) join collections c on c.id = ids.id
     join accounts o on o.id = c.account_id left join tags t on t.id = c.tag_id
   order by ids.position`,
)

// Only the owner receives pending items, and those that the account has rejected or revoked.
const ITEMS = `select i.id, i.collection_id, i.account_id, i.state, i.created_at,
    not exists (select from blocks b where b.account_id = $viewerId and b.target_account_id = a.id offset 0)
      and not exists (select from blocks b where b.account_id = a.id and b.target_account_id = $viewerId offset 0)
      and not ${blocksDomainOf('$viewerId', 'a')} as shown
  from collection_items i join collections c on c.id = i.collection_id
    join accounts a on a.id = i.account_id left join users u on u.account_id = a.id
  where (i.state = 'accepted' or c.account_id = $viewerId) and ${usableAccount()}`
const selectItems = statement<{
  params: { collectionIds: readonly string[]; viewerId: string | null }
  row: ItemRow
  notNull: 'account_id'
}>(`${ITEMS} and i.collection_id = any($collectionIds::bigint[]) order by i.id`)
const selectItem = statement<{ params: { id: string; viewerId: string }; row: ItemRow; notNull: 'account_id' }>(
  `${ITEMS} and i.id = $id`,
)

interface CollectionsInput {
  ids: readonly string[]
  /** null for anonymous. */
  viewerId: string | null
}

/**
 * Returns collections in the order of the ids; unknown ids are omitted. Each has its accepted items, and for its owner
 * also the other ones, of which only the pending ones count. Omits accounts that block the viewer or that the viewer
 * blocks. The caller has checked the visibility of the collections.
 */
export async function renderCollections(read: Read, input: CollectionsInput): Promise<Collection[]> {
  return input.ids.length === 0 ? [] : findCollections(read, input)
}

/** Returns collections by their ids. */
export async function renderCollectionMap(read: Read, input: CollectionsInput): Promise<Map<string, Collection>> {
  return new Map((await renderCollections(read, input)).map((collection) => [collection.id, collection]))
}

/** Returns one collection. @throws NotFoundError */
export async function renderCollection(
  read: Read,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<Collection> {
  const [collection] = await renderCollections(read, { ids: [id], viewerId })
  if (collection === undefined) throw new NotFoundError()
  return collection
}

/** Returns one collection with its accounts, the owner first. @throws NotFoundError */
export async function renderCollectionWithAccounts(
  read: CachedRead,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<EntityJson<CollectionWithAccounts>> {
  const collection = await renderCollection(read, { id, viewerId })
  const ids = new Set([collection.account_id, ...collection.items.flatMap((item) => item.account_id ?? [])])
  const accounts = await renderAccounts(read, { ids: [...ids], viewerId })
  return entityJson<CollectionWithAccounts>({ collection, accounts })
}

/** Returns an item of a collection for the owner of the collection. @throws NotFoundError */
export async function renderCollectionItem(
  read: Read,
  { id, viewerId }: { id: string; viewerId: string },
): Promise<CollectionItem> {
  const [item] = await selectItem(read.db, { id, viewerId })
  if (!item) throw new NotFoundError()
  return itemOf(item)
}

async function findCollections(read: Read, { ids, viewerId }: CollectionsInput): Promise<Collection[]> {
  const [rows, items] = await Promise.all([
    selectCollections(read.db, { ids }),
    selectItems(read.db, { collectionIds: ids, viewerId }),
  ])
  const byCollection = Map.groupBy(items, (item) => item.collection_id)
  return rows.map((row) => {
    const collectionItems = byCollection.get(row.id) ?? []
    return entity<Collection>({
      id: row.id,
      uri: row.uri,
      // Clients require a URL, which other servers may omit.
      url: row.local ? `${read.config.origin}/collections/${row.id}` : (row.url ?? row.uri),
      account_id: row.account_id,
      name: row.name,
      description: row.description,
      language: row.language,
      local: row.local,
      sensitive: row.sensitive,
      discoverable: row.discoverable,
      tag:
        row.tag_name === null
          ? null
          : { name: row.tag_display!, url: `${read.config.origin}/tags/${encodeURIComponent(row.tag_name)}` },
      item_count: row.origin_item_count ?? collectionItems.filter(isOpen).length,
      items: collectionItems.filter((item) => item.shown).map(itemOf),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    })
  })
}

/** Whether the account is, or may still become, a part of the collection. */
function isOpen({ state }: ItemRow): boolean {
  return state === 'pending' || state === 'accepted'
}

function itemOf(item: ItemRow): CollectionItem {
  return entity<CollectionItem>({
    id: item.id,
    account_id: isOpen(item) ? item.account_id : undefined,
    state: item.state,
    created_at: item.created_at.toISOString(),
  })
}
