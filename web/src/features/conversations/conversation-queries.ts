import { infiniteQueryOptions } from '@tanstack/react-query'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Conversation } from '../../lib/api/entities.ts'
import { api } from '../../lib/session.ts'
import { saveStatus } from '../statuses/status-store.ts'

/** A conversation whose newest status is in the store of statuses. */
export type LoadedConversation = Omit<Conversation, 'lastStatus'> & { lastStatusId: string | null }

type Pages = InfiniteData<LoadedConversation[], string | undefined>

const PAGE_SIZE = 40

export const conversationsQuery = infiniteQueryOptions({
  queryKey: ['conversations'],
  queryFn: async ({ pageParam }) => {
    const page = { limit: PAGE_SIZE, maxId: pageParam }
    return ((await api().v1.conversations.list(page)) as unknown as Conversation[]).map(toLoaded)
  },
  initialPageParam: undefined as string | undefined,
  // The cursor of a conversation is its newest status.
  getNextPageParam: (last: LoadedConversation[]) => last.at(-1)?.lastStatusId ?? undefined,
})

/** Shows a conversation with a new status on top. */
export function receiveConversation(client: QueryClient, conversation: Conversation): void {
  const loaded = toLoaded(conversation)
  change(client, (pages) => {
    const [first = [], ...others] = pages.map((page) => page.filter(({ id }) => id !== loaded.id))
    return [[loaded, ...first], ...others]
  })
}

/**
 * Marks a conversation as read or unread at once. It changes back if the server refuses.
 * @throws the error of the request
 */
export async function markConversation(
  client: QueryClient,
  { id, unread }: { id: string; unread: boolean },
): Promise<void> {
  const undo = change(client, (pages) =>
    pages.map((page) =>
      page.map((conversation) => (conversation.id === id ? { ...conversation, unread } : conversation)),
    ),
  )
  try {
    const conversation = api().v1.conversations.$select(id)
    await (unread ? conversation.unread() : conversation.read())
  } catch (error) {
    undo()
    throw error
  }
}

/**
 * Removes a conversation from the list at once. It returns if the server refuses.
 * @throws the error of the request
 */
export async function deleteConversation(client: QueryClient, id: string): Promise<void> {
  const undo = change(client, (pages) => pages.map((page) => page.filter((conversation) => conversation.id !== id)))
  try {
    await api().v1.conversations.$select(id).remove()
  } catch (error) {
    undo()
    throw error
  }
}

function change(
  client: QueryClient,
  work: (pages: readonly LoadedConversation[][]) => LoadedConversation[][],
): () => void {
  const { queryKey } = conversationsQuery
  const before = client.getQueryData(queryKey)
  client.setQueryData<Pages>(queryKey, (data) => data && { ...data, pages: work(data.pages) })
  return () => client.setQueryData(queryKey, before)
}

function toLoaded({ lastStatus, ...conversation }: Conversation): LoadedConversation {
  return { ...conversation, lastStatusId: lastStatus && saveStatus(lastStatus) }
}
