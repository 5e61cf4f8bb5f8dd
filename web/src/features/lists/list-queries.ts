import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { message } from '../../lib/i18n/messages.ts'
import { api } from '../../lib/session.ts'
import type { Account, List } from '../../lib/api/entities.ts'
import { changeAtOnce } from '../../lib/change-at-once.ts'
import { showToast } from '../../ui/notices/toasts.tsx'
import { resetTimeline } from '../timelines/timelines.ts'

/** What the user decides about a list. */
export type ListSettings = Omit<List, 'id'>

export const listsQuery = queryOptions({
  queryKey: ['lists'],
  queryFn: async () => (await api().v1.lists.list()) as unknown as List[],
})

export const listQuery = (id: string) =>
  queryOptions({
    queryKey: ['list', id],
    queryFn: async (): Promise<List> => api().v1.lists.$select(id).fetch(),
  })

/** All members of a list. */
export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['list-members', id],
    queryFn: async () => (await api().v1.lists.$select(id).accounts.list({ limit: 0 })) as unknown as Account[],
  })

/** The ids of the lists of the user that have an account. */
export const listsOfAccountQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['lists-of-account', accountId],
    queryFn: async () => {
      const lists = (await api().v1.accounts.$select(accountId).lists.list()) as unknown as List[]
      return lists.map(({ id }) => id)
    },
  })

/** Returns functions that change lists and what is shown of them. They throw the errors of the requests. */
export function useListChanges() {
  const queryClient = useQueryClient()
  const saved = (list: List) => {
    queryClient.setQueryData(listQuery(list.id).queryKey, list)
    return queryClient.invalidateQueries(listsQuery)
  }
  return {
    async createList(settings: ListSettings): Promise<List> {
      const list = await api().v1.lists.create(settings)
      await saved(list)
      return list
    },
    async updateList(id: string, settings: ListSettings): Promise<void> {
      await saved(await api().v1.lists.$select(id).update(settings))
      resetTimeline({ type: 'list', id })
    },
    async deleteList(id: string): Promise<void> {
      await api().v1.lists.$select(id).remove()
      queryClient.setQueryData(listsQuery.queryKey, (lists) => lists?.filter((list) => list.id !== id))
    },
  }
}

/** Returns a function that adds an account to a list or removes it: at once, and back if the server refuses. */
export function useMembership() {
  const queryClient = useQueryClient()
  return async function setMembership(change: { listId: string; account: Account; isMember: boolean }): Promise<void> {
    const { listId, account, isMember } = change
    const { accounts } = api().v1.lists.$select(listId)
    const request = { accountIds: [account.id] }
    try {
      await changeAtOnce<Account[]>(queryClient, membersQuery(listId).queryKey, {
        change: (members) => {
          const others = members.filter(({ id }) => id !== account.id)
          return isMember ? [account, ...others] : others
        },
        request: () =>
          changeAtOnce<string[]>(queryClient, listsOfAccountQuery(account.id).queryKey, {
            change: (lists) => {
              const others = lists.filter((id) => id !== listId)
              return isMember ? [...others, listId] : others
            },
            request: () => (isMember ? accounts.create(request) : accounts.remove(request)),
          }),
      })
      resetTimeline({ type: 'list', id: listId })
    } catch {
      showToast({
        kind: 'alert',
        text: message(isMember ? 'web.list.add-failed' : 'web.list.remove-failed'),
        action: { label: message('web.retry'), run: () => void setMembership(change) },
      })
    }
  }
}
