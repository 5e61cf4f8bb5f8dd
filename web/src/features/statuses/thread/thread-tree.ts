/** What the tree needs to know of a status. */
export interface ThreadStatus {
  id: string
  accountId: string
  inReplyToId: string | null
}

/** A reply with the branches that answer it. */
export interface ThreadPost {
  id: string
  branches: ThreadBranch[]
  /** The number of replies in `branches`, or of those that are too deep for this page. */
  repliesCount: number
}

/**
 * Replies that continue one another without indentation: each is the only reply to the one before, or the author's reply
 * to themself.
 */
export interface ThreadBranch {
  posts: ThreadPost[]
}

/** How many levels of indentation a page shows. */
export const MAX_LEVELS = 4

/**
 * Returns the branches of replies to a status. Replies whose parent is hidden or deleted stand at the top level.
 * @param descendants in tree order, as the API returns them
 */
export function buildThread(rootId: string, descendants: readonly ThreadStatus[]): ThreadBranch[] {
  const known = new Set([rootId, ...descendants.map(({ id }) => id)])
  const repliesTo = new Map<string, ThreadStatus[]>()
  for (const status of descendants) {
    const parentId = status.inReplyToId !== null && known.has(status.inReplyToId) ? status.inReplyToId : rootId
    const siblings = repliesTo.get(parentId) ?? []
    repliesTo.set(parentId, siblings)
    siblings.push(status)
  }
  const find = (id: string) => repliesTo.get(id) ?? []

  const toBranch = (first: ThreadStatus, level: number): ThreadBranch => {
    const posts: ThreadPost[] = []
    let status: ThreadStatus | undefined = first
    while (status) {
      const replies = find(status.id)
      const continuation = findContinuation(status, replies)
      const others = replies.filter((reply) => reply !== continuation)
      posts.push({
        id: status.id,
        branches: level + 1 < MAX_LEVELS ? others.map((reply) => toBranch(reply, level + 1)) : [],
        repliesCount: count(others, find),
      })
      status = continuation
    }
    return { posts }
  }
  return find(rootId).map((reply) => toBranch(reply, 0))
}

function findContinuation({ accountId }: ThreadStatus, replies: readonly ThreadStatus[]): ThreadStatus | undefined {
  return replies.length === 1 ? replies[0] : replies.find((reply) => reply.accountId === accountId)
}

/** Returns the number of statuses in the trees below and with `roots`. */
function count(roots: readonly ThreadStatus[], find: (id: string) => readonly ThreadStatus[]): number {
  const stack = [...roots]
  let total = 0
  for (let status = stack.pop(); status; status = stack.pop()) {
    total += 1
    stack.push(...find(status.id))
  }
  return total
}
