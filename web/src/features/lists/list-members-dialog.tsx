import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { api } from '../../lib/session.ts'
import type { Account, List } from '../../lib/api/entities.ts'
import { AccountRow } from '../accounts/lists/account-row.tsx'
import { AccountSkeletons } from '../accounts/lists/account-skeletons.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { TextField } from '../../ui/forms/form-fields.tsx'
import { LoadingFailed } from '../../ui/lists/paged-list.tsx'
import { membersQuery, useMembership } from './list-queries.ts'
import styles from './list-members-dialog.module.css'

const MAX_RESULTS = 20

/** Followed accounts whose name begins with a text: only they can be members of a list. */
const followedAccountsQuery = (text: string) =>
  queryOptions({
    queryKey: ['followed-accounts', text],
    queryFn: async () =>
      (await api().v1.accounts.search.list({
        q: text,
        following: true,
        limit: MAX_RESULTS,
      })) as unknown as Account[],
    enabled: text !== '',
    placeholderData: keepPreviousData,
  })

/** The members of a list, and a search for followed accounts to add. */
export function ListMembersDialog({ list, onClose }: { list: List; onClose: () => void }) {
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const members = useQuery(membersQuery(list.id))
  const found = useQuery(followedAccountsQuery(search))
  const setMembership = useMembership()
  const accounts = search === '' ? members.data : found.data
  const { isError, refetch } = search === '' ? members : found
  return (
    <Dialog title={message('web.list.members')} wide onClose={onClose}>
      <TextField type="search" label={message('web.list.search')} value={text} onChange={setText} />
      <div className={styles.results}>
        {!accounts || !members.data ? (
          isError ? (
            <LoadingFailed retry={() => void refetch()} />
          ) : (
            <AccountSkeletons count={3} />
          )
        ) : accounts.length === 0 ? (
          <p className={styles.empty}>{message(search === '' ? 'web.list.no-members' : 'web.list.no-results')}</p>
        ) : (
          <ul aria-label={message(search === '' ? 'web.list.members' : 'web.list.results')}>
            {accounts.map((account) => {
              const isMember = members.data.some(({ id }) => id === account.id)
              const label = message(isMember ? 'web.list.remove' : 'web.list.add')
              return (
                <li key={account.id}>
                  <AccountRow account={account}>
                    <button
                      type="button"
                      className={isMember ? 'button button-line button-small' : 'button button-small'}
                      aria-label={`${label} @${account.acct}`}
                      onClick={({ currentTarget }) => {
                        if (isMember && search === '') focusNeighbour(currentTarget)
                        void setMembership({ listId: list.id, account, isMember: !isMember })
                      }}
                    >
                      {label}
                    </button>
                  </AccountRow>
                </li>
              )
            })}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

/** A removed member leaves the list, so the focus goes to the next one, or to the search. */
function focusNeighbour(button: HTMLElement): void {
  const row = button.closest('li')
  const neighbour = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector('button')
  ;(neighbour ?? button.closest('dialog')?.querySelector('input'))?.focus()
}
