import { Type } from 'typebox'
import { isId } from '../../../lib/ids.ts'
import type { Page } from '../../../lib/page.ts'
import type { Pages } from '../layout/pager.ts'

const POSTS_PER_PAGE = 20

export const PostsQuery = Type.Object({ max_id: Type.Optional(Type.String()), min_id: Type.Optional(Type.String()) })

/** One page of a list of posts that is read by ids, and where the next ones are. */
export interface Walked {
  ids: string[]
  pages: Pages
  /** The newest are on it. */
  isFirst: boolean
}

/** Reads the page that a query asks for, with one more to see whether there are others. `path`: of the list. */
export async function walkPosts(
  query: { max_id?: string; min_id?: string },
  { path, read }: { path: string; read: (page: Page) => Promise<string[]> },
): Promise<Walked> {
  const limit = POSTS_PER_PAGE + 1
  const { max_id: maxId, min_id: minId } = query
  const upwards = isId(minId)
  const downwards = !upwards && isId(maxId)
  const found = await read({ limit, ...(upwards ? { minId } : downwards ? { maxId } : {}) })
  const isMore = found.length === limit
  const ids = upwards ? found.slice(-POSTS_PER_PAGE) : found.slice(0, POSTS_PER_PAGE)
  const hasNewer = upwards ? isMore : downwards
  const hasOlder = upwards || isMore
  return {
    ids,
    isFirst: !hasNewer,
    pages: {
      newer: !hasNewer ? null : ids[0] === undefined ? path : `${path}?min_id=${ids[0]}`,
      older: hasOlder && ids.length > 0 ? `${path}?max_id=${ids.at(-1)}` : null,
    },
  }
}
