/** A page of a list. `maxId`: where the next page begins; null after the last one. */
export interface Page<Item> {
  items: readonly Item[]
  maxId: string | null
}

/** A list of masto.js, which types some without the parameters of pages. */
interface PagedList {
  $raw(page: { maxId?: string }): PromiseLike<{ data: unknown; headers: Headers }>
}

/**
 * Loads the page of a list that begins at `maxId`; null for the first one. The header `Link` has the cursor of the next
 * page, which is not an id of the items.
 */
export async function loadPage<Item>({
  list,
  maxId,
  read,
}: {
  list: unknown
  maxId: string | null
  read: (data: unknown) => readonly Item[]
}): Promise<Page<Item>> {
  const { data, headers } = await (list as PagedList).$raw(maxId === null ? {} : { maxId })
  return { ...toPage<Item>({ data, headers }), items: read(data) }
}

/** Returns the page in a raw response of masto.js. The header `Link` has the cursor, which is not an id of the items. */
export function toPage<Item>({ data, headers }: { data: unknown; headers: Headers }): Page<Item> {
  const next = /<([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1]
  return { items: data as Item[], maxId: next ? new URL(next).searchParams.get('max_id') : null }
}
