import { Type } from 'typebox'
import { isId } from '../../../lib/ids.ts'
import type { Page } from '../../../lib/page.ts'
import type { Pages } from '../layout/pager.ts'

const POSTS_PER_PAGE = 20

export const PostsQuery = Type.Object({ max_id: Type.Optional(Type.String()), min_id: Type.Optional(Type.String()) })

/** One page of a list of posts, with the URLs of its neighbours. */
export interface PostsPage {
  ids: string[]
  pages: Pages
  /** Whether the page has the newest posts. */
  isFirst: boolean
}

/**
 * Reads the requested page of a list at `path`. Reads one post more than it returns, to know whether another page
 * follows.
 */
export async function paginatePosts(
  query: { max_id?: string; min_id?: string },
  { path, read }: { path: string; read: (page: Page) => Promise<string[]> },
): Promise<PostsPage> {
  const limit = POSTS_PER_PAGE + 1
  const { max_id: maxId, min_id: minId } = query
  const isNewer = isId(minId)
  const isOlder = !isNewer && isId(maxId)
  const found = await read({ limit, ...(isNewer ? { minId } : isOlder ? { maxId } : {}) })
  const hasMore = found.length === limit
  const ids = isNewer ? found.slice(-POSTS_PER_PAGE) : found.slice(0, POSTS_PER_PAGE)
  const hasNewer = isNewer ? hasMore : isOlder
  const hasOlder = isNewer || hasMore
  return {
    ids,
    isFirst: !hasNewer,
    pages: {
      newer: !hasNewer ? null : ids[0] === undefined ? path : `${path}?min_id=${ids[0]}`,
      older: hasOlder && ids.length > 0 ? `${path}?max_id=${ids.at(-1)}` : null,
    },
  }
}
