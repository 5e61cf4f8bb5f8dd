import { collectionUri } from '../domain/collections/addresses.ts'
import type { Read } from '../domain/context.ts'
import { blocksDomainOf } from '../domain/relationships/domain-blocking.ts'
import { usableAccount } from '../domain/accounts/usable.ts'
import type { Collection, CollectionItem, CollectionWithAccounts } from '../entities/collection.ts'
import { NotFound } from '../lib/errors.ts'
import { jsonArray, jsonObject, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { statement } from '../platform/db/connect.ts'
import { renderAccounts } from './accounts.ts'

interface CollectionFacts {
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

interface ItemFacts {
  id: string
  collection_id: string
  account_id: string
  state: 'pending' | 'accepted'
  created_at: Date
  /** Whether the viewer wants to see them, and they the viewer. */
  shown: boolean
}

const load = statement<CollectionFacts>(
  `select c.id, ${collectionUri()} as uri, c.url, c.account_id, c.name, c.description, c.language, c.local, c.sensitive,
     c.discoverable, t.name as tag_name, t.display_name as tag_display, c.origin_item_count, c.created_at, c.updated_at
   from unnest($1::bigint[]) with ordinality as wanted (id, place) join collections c on c.id = wanted.id
     join accounts o on o.id = c.account_id left join tags t on t.id = c.tag_id
   order by wanted.place`,
)

// $1 collections, $2 viewer. Only the owner sees whom they have asked and who has not answered yet.
const ITEMS = `select i.id, i.collection_id, i.account_id, i.state, i.created_at,
    not exists (select from blocks b where b.account_id = $2 and b.target_account_id = a.id offset 0)
      and not exists (select from blocks b where b.account_id = a.id and b.target_account_id = $2 offset 0)
      and not ${blocksDomainOf('$2', 'a')} as shown
  from collection_items i join collections c on c.id = i.collection_id
    join accounts a on a.id = i.account_id left join users u on u.account_id = a.id
  where (i.state = 'accepted' or (i.state = 'pending' and c.account_id = $2)) and ${usableAccount()}`
const loadItems = statement<ItemFacts>(`${ITEMS} and i.collection_id = any($1::bigint[]) order by i.id`)
const loadItem = statement<ItemFacts>(`${ITEMS} and i.id = $1`)

interface Asked {
  ids: readonly string[]
  /** null = anybody. */
  viewerId: string | null
}

/**
 * Collections in the order of the ids; unknown ids are left out. Each shows who is in it and agreed, and to its owner
 * also who was asked; not those who are in a block with the viewer. Whether the collection may be seen has been decided
 * before.
 */
export async function renderCollections(read: Read, asked: Asked): Promise<Json<Collection>[]> {
  return (await present(read, asked)).map((collection) => toJson(collection))
}

/** The same by their ids. */
export async function renderCollectionMap(read: Read, asked: Asked): Promise<Map<string, Json<Collection>>> {
  const collections = asked.ids.length === 0 ? [] : await present(read, asked)
  return new Map(collections.map((collection) => [collection.id, toJson(collection)]))
}

/** One collection. @throws NotFound */
export async function renderCollection(
  read: Read,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<Json<Collection>> {
  const [collection] = await renderCollections(read, { ids: [id], viewerId })
  if (collection === undefined) throw new NotFound()
  return collection
}

/** One collection with everybody who is to be seen in it, its owner first. @throws NotFound */
export async function renderCollectionWithAccounts(
  read: Read,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<Json<CollectionWithAccounts>> {
  const [collection] = await present(read, { ids: [id], viewerId })
  if (!collection) throw new NotFound()
  const ids = new Set([collection.account_id, ...collection.items.map((item) => item.account_id!)])
  return jsonObject<CollectionWithAccounts>({
    collection: toJson(collection),
    accounts: jsonArray(await renderAccounts(read, { ids: [...ids], viewerId })),
  })
}

/** Somebody's place in a collection, as the collection's owner sees it. @throws NotFound */
export async function renderCollectionItem(
  read: Read,
  { id, viewerId }: { id: string; viewerId: string },
): Promise<Json<CollectionItem>> {
  const [item] = await loadItem(read.db, [id, viewerId])
  if (!item) throw new NotFound()
  return toJson(presentItem(item))
}

async function present(read: Read, { ids, viewerId }: Asked): Promise<Collection[]> {
  if (ids.length === 0) return []
  const [rows, items] = await Promise.all([load(read.db, [ids]), loadItems(read.db, [ids, viewerId])])
  const byCollection = Map.groupBy(items, (item) => item.collection_id)
  return rows.map((row) => {
    const own = byCollection.get(row.id) ?? []
    return {
      id: row.id,
      uri: row.uri,
      url: row.local ? `${read.config.origin}/collections/${row.id}` : row.url,
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
      item_count: row.origin_item_count ?? own.length,
      items: own.filter((item) => item.shown).map(presentItem),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }
  })
}

function presentItem({ id, account_id, state, created_at }: ItemFacts): CollectionItem {
  return { id, account_id, state, created_at: created_at.toISOString() }
}
