import { approvalUri, collectionUri, itemUri } from '../../../domain/collections/collection-uris.ts'
import { usableAccount } from '../../../domain/access/usable-account.ts'
import type { Read } from '../../../domain/context.ts'
import { html as markup } from '../../../lib/html/html.ts'
import { toJson } from '../../../lib/json/json.ts'
import type { Json } from '../../../lib/json/json.ts'
import type { Config } from '../../../platform/config/config.ts'
import { statement } from '../../../platform/db/statement.ts'
import { formatTimestamp } from './format-timestamp.ts'

interface CollectionRow {
  id: string
  uri: string
  owner_uri: string
  name: string
  description: string
  language: string | null
  sensitive: boolean
  discoverable: boolean
  tag_name: string | null
  tag_display: string | null
  created_at: Date
  updated_at: Date
}

interface ItemRow {
  uri: string
  featured_uri: string
  featured_type: string
  approval_uri: string
  created_at: Date
}

const load = statement<{ params: { id: string }; row: CollectionRow }>(
  `select c.id, ${collectionUri()} as uri, o.uri as owner_uri, c.name, c.description, c.language, c.sensitive,
     c.discoverable, t.name as tag_name, t.display_name as tag_display, c.created_at, c.updated_at
   from collections c join accounts o on o.id = c.account_id left join tags t on t.id = c.tag_id
   where c.id = $id and c.local`,
)
// Only items that the featured account approved and for which there is a feature authorization.
const ITEMS = `select ${itemUri()} as uri, a.uri as featured_uri, a.actor_type as featured_type,
    ${approvalUri('i', 'a')} as approval_uri, i.created_at
  from collection_items i join collections c on c.id = i.collection_id join accounts o on o.id = c.account_id
    join accounts a on a.id = i.account_id left join users u on u.account_id = a.id
  where c.local and i.state = 'accepted' and ${usableAccount()} and ${approvalUri('i', 'a')} is not null`
const loadItems = statement<{ params: { id: string }; row: ItemRow }>(`${ITEMS} and c.id = $id order by i.id`)
const loadItem = statement<{ params: { id: string }; row: ItemRow }>(`${ITEMS} and i.id = $id`)

/** Returns a local featured collection with its approved items, without context; null if there is none. */
export async function writeFeaturedCollection(
  read: Pick<Read, 'db' | 'config'>,
  { id }: { id: string },
): Promise<Json<object> | null> {
  const [row] = await load(read.db, { id })
  if (!row) return null
  const items = await loadItems(read.db, { id })
  return toJson(renderCollection(read.config, row, items))
}

/** Returns an item of a local collection, without context; null if there is none or it is not approved. */
export async function writeFeaturedItem(read: Pick<Read, 'db'>, { id }: { id: string }): Promise<Json<object> | null> {
  const [row] = await loadItem(read.db, { id })
  return row ? toJson(renderItem(row)) : null
}

function renderCollection(config: Config, row: CollectionRow, items: readonly ItemRow[]): object {
  const { description, language } = row
  return {
    id: row.uri,
    type: 'FeaturedCollection',
    attributedTo: row.owner_uri,
    name: row.name,
    ...(description === '' ? {} : { summary: formatSummary(description) }),
    ...(description === '' || language === null ? {} : { summaryMap: { [language]: formatSummary(description) } }),
    url: `${config.origin}/collections/${row.id}`,
    sensitive: row.sensitive,
    discoverable: row.discoverable,
    ...(row.tag_name === null
      ? {}
      : {
          topic: {
            type: 'Hashtag',
            href: `${config.origin}/tags/${encodeURIComponent(row.tag_name)}`,
            name: `#${row.tag_display!}`,
          },
        }),
    published: formatTimestamp(row.created_at),
    updated: formatTimestamp(row.updated_at),
    totalItems: items.length,
    orderedItems: items.map(renderItem),
  }
}

function renderItem(row: ItemRow): object {
  return {
    id: row.uri,
    type: 'FeaturedItem',
    featuredObject: row.featured_uri,
    featuredObjectType: row.featured_type,
    featureAuthorization: row.approval_uri,
    published: formatTimestamp(row.created_at),
  }
}

function formatSummary(text: string): string {
  return markup`<p>${text}</p>`.toString()
}
