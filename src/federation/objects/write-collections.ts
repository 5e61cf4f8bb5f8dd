import { approvalUri, collectionUri, itemUri } from '../../domain/collections/addresses.ts'
import { usableAccount } from '../../domain/accounts/usable.ts'
import type { Read } from '../../domain/context.ts'
import { html as markup } from '../../lib/html.ts'
import { toJson } from '../../lib/json.ts'
import type { Json } from '../../lib/json.ts'
import type { Config } from '../../platform/config.ts'
import { statement } from '../../platform/db/statement.ts'
import { timeOf } from './time.ts'

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
// Who agreed, and has something to show for it.
const ITEMS = `select ${itemUri()} as uri, a.uri as featured_uri, a.actor_type as featured_type,
    ${approvalUri('i', 'a')} as approval_uri, i.created_at
  from collection_items i join collections c on c.id = i.collection_id join accounts o on o.id = c.account_id
    join accounts a on a.id = i.account_id left join users u on u.account_id = a.id
  where c.local and i.state = 'accepted' and ${usableAccount()} and ${approvalUri('i', 'a')} is not null`
const loadItems = statement<{ params: { id: string }; row: ItemRow }>(`${ITEMS} and c.id = $id order by i.id`)
const loadItem = statement<{ params: { id: string }; row: ItemRow }>(`${ITEMS} and i.id = $id`)

/** A collection of here with all who are in it, without context; null when there is none. */
export async function writeFeaturedCollection(
  read: Pick<Read, 'db' | 'config'>,
  { id }: { id: string },
): Promise<Json<object> | null> {
  const [row] = await load(read.db, { id })
  if (!row) return null
  const items = await loadItems(read.db, { id })
  return toJson(presentCollection(read.config, row, items))
}

/** Somebody's place in a collection of here, without context; null where there is none, or they have not agreed. */
export async function writeFeaturedItem(read: Pick<Read, 'db'>, { id }: { id: string }): Promise<Json<object> | null> {
  const [row] = await loadItem(read.db, { id })
  return row ? toJson(presentItem(row)) : null
}

function presentCollection(config: Config, row: CollectionRow, items: readonly ItemRow[]): object {
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
    published: timeOf(row.created_at),
    updated: timeOf(row.updated_at),
    totalItems: items.length,
    orderedItems: items.map(presentItem),
  }
}

function presentItem(row: ItemRow): object {
  return {
    id: row.uri,
    type: 'FeaturedItem',
    featuredObject: row.featured_uri,
    featuredObjectType: row.featured_type,
    featureAuthorization: row.approval_uri,
    published: timeOf(row.created_at),
  }
}

function formatSummary(text: string): string {
  return markup`<p>${text}</p>`.toString()
}
