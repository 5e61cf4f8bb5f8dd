import { Type } from 'typebox'
import { isId } from '../../../lib/ids.ts'
import type { Page } from '../../../lib/page.ts'
import type { Pages } from '../layout/pager.ts'

const POSTS_PER_PAGE = 20

export const PostsQuery = Type.Object({ max_id: Type.Optional(Type.String()), min_id: Type.Optional(Type.String()) })

/** One page of a list, with the URLs of its neighbours. */
interface EntriesPage<Entry> {
  entries: Entry[]
  pages: Pages
  /** Whether the page has the newest entries. */
  isFirst: boolean
}

/** One page of a list of posts. */
export type PostsPage = Omit<EntriesPage<string>, 'entries'> & { ids: string[] }

/** Reads the requested page of a list of posts at `path`. */
export async function paginatePosts(
  query: { max_id?: string; min_id?: string },
  { path, read }: { path: string; read: (page: Page) => Promise<string[]> },
): Promise<PostsPage> {
  const readEntries = async (page: Page) => (await read(page)).map((id) => ({ id }))
  const { entries, ...rest } = await paginateEntries(query, { path, perPage: POSTS_PER_PAGE, read: readEntries })
  return { ids: entries.map(({ id }) => id), ...rest }
}

/**
 * Reads the requested page of a list at `path`, newest first. Reads one entry more than it returns, to know whether
 * another page follows.
 */
export async function paginateEntries<Entry extends { id: string }>(
  query: { max_id?: string; min_id?: string },
  { path, perPage, read }: { path: string; perPage: number; read: (page: Page) => Promise<Entry[]> },
): Promise<EntriesPage<Entry>> {
  const limit = perPage + 1
  const { max_id: maxId, min_id: minId } = query
  const isNewer = isId(minId)
  const isOlder = !isNewer && isId(maxId)
  const found = await read({ limit, ...(isNewer ? { minId } : isOlder ? { maxId } : {}) })
  const hasMore = found.length === limit
  const entries = isNewer ? found.slice(-perPage) : found.slice(0, perPage)
  const hasNewer = isNewer ? hasMore : isOlder
  const hasOlder = isNewer || hasMore
  const first = entries[0]
  return {
    entries,
    isFirst: !hasNewer,
    pages: {
      newer: !hasNewer ? null : first === undefined ? path : `${path}?min_id=${first.id}`,
      older: hasOlder && entries.length > 0 ? `${path}?max_id=${entries.at(-1)!.id}` : null,
    },
  }
}
