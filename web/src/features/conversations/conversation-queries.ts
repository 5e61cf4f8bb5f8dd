import { infiniteQueryOptions } from '@tanstack/react-query'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Conversation } from '../../lib/api/entities.ts'
import { changeAtOnce } from '../../lib/change-at-once.ts'
import { api } from '../../lib/session.ts'
import { saveStatus } from '../statuses/status-store.ts'
import { isNewer } from '../timelines/timeline-store.ts'

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

/**
 * Shows a conversation with a new status on top, and one that was only marked in its place. The list is loaded again if
 * another change moves the conversation, such as the deletion of its newest status, and if it is being loaded, because
 * it may lack the change.
 */
export function receiveConversation(client: QueryClient, conversation: Conversation): void {
  const { queryKey } = conversationsQuery
  const received = toLoaded(conversation)
  const known = client.getQueryData(queryKey)?.pages.flat() ?? []
  const newestId = known[0]?.lastStatusId
  const isTheSame = ({ id }: LoadedConversation) => id === received.id
  const isInPlace = known.find(isTheSame)?.lastStatusId === received.lastStatusId
  const isNewest = !newestId || isNewer(received.lastStatusId ?? '', newestId)
  if (isInPlace || isNewest)
    client.setQueryData(queryKey, (data) => {
      if (!data) return data
      if (isInPlace)
        return { ...data, pages: data.pages.map((page) => page.map((one) => (isTheSame(one) ? received : one))) }
      const [first = [], ...others] = data.pages.map((page) => page.filter((one) => !isTheSame(one)))
      return { ...data, pages: [[received, ...first], ...others] }
    })
  if (!(isInPlace || isNewest) || client.isFetching({ queryKey }) > 0) void client.invalidateQueries({ queryKey })
}

/**
 * Marks a conversation as read or unread at once. It changes back if the server refuses.
 * @throws the error of the request
 */
export async function markConversation(
  client: QueryClient,
  { id, unread }: { id: string; unread: boolean },
): Promise<void> {
  await changeConversation(client, id, {
    change: (conversation) => [{ ...conversation, unread }],
    request: (conversation) => (unread ? conversation.unread() : conversation.read()),
  })
}

/**
 * Removes a conversation from the list at once. It returns if the server refuses.
 * @throws the error of the request
 */
export async function deleteConversation(client: QueryClient, id: string): Promise<void> {
  await changeConversation(client, id, { change: () => [], request: (conversation) => conversation.remove() })
}

type ConversationApi = ReturnType<ReturnType<typeof api>['v1']['conversations']['$select']>

async function changeConversation(
  client: QueryClient,
  id: string,
  {
    change,
    request,
  }: {
    change: (conversation: LoadedConversation) => LoadedConversation[]
    request: (conversation: ConversationApi) => Promise<unknown>
  },
): Promise<void> {
  const changePage = (page: LoadedConversation[]) => page.flatMap((one) => (one.id === id ? change(one) : one))
  await changeAtOnce<Pages>(client, conversationsQuery.queryKey, {
    change: (data) => ({ ...data, pages: data.pages.map(changePage) }),
    request: () => request(api().v1.conversations.$select(id)),
  })
}

function toLoaded({ lastStatus, ...conversation }: Conversation): LoadedConversation {
  return { ...conversation, lastStatusId: lastStatus && saveStatus(lastStatus) }
}
