import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { api, currentAccountId } from '../../../lib/session.ts'
import type { Account, Collection } from '../../../lib/api/entities.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { TextField } from '../../../ui/forms/form-fields.tsx'
import { SteadyButton } from '../../../ui/forms/steady-button.tsx'
import { LoadingFailed } from '../../../ui/lists/paged-list.tsx'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { AccountRow } from '../../accounts/lists/account-row.tsx'
import { AccountSkeletons } from '../../accounts/lists/account-skeletons.tsx'
import { needsResolving } from '../../search/needs-resolving.ts'
import { useCollectionChanges } from '../collection-changes.ts'
import { reasonOfRefusal } from '../collection-problems.ts'
import { canBeAdded, collectionQuery, itemOf, MAX_ACCOUNTS } from '../collection-queries.ts'
import styles from './add-accounts-dialog.module.css'

const MAX_RESULTS = 20
/** The server looks a remote handle up at its server, so the search waits until it is complete. */
const TYPING_MS = 300

/** Accounts that a text names; without one, those that the user follows and that can be added. */
const candidatesQuery = (text: string) =>
  queryOptions({
    queryKey: ['collection-candidates', text],
    queryFn: async () => {
      const { accounts } = api().v1
      if (text !== '')
        return (await accounts.search.list({
          q: text,
          resolve: needsResolving(text),
          limit: MAX_RESULTS,
        })) as unknown as Account[]
      const followed = await accounts.$select(currentAccountId()).following.list({ limit: MAX_RESULTS })
      return (followed as unknown as Account[]).filter(canBeAdded)
    },
    placeholderData: keepPreviousData,
  })

/** A search for accounts to add to a collection of the user. */
export function AddAccountsDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data: loaded } = useQuery(collectionQuery(id))
  const { data: accounts, isError, refetch } = useQuery(candidatesQuery(search))
  const collection = loaded?.collection
  const isFull = collection !== undefined && collection.itemCount >= MAX_ACCOUNTS
  const label = message(search === '' ? 'web.collections.followed' : 'web.collections.results')
  return (
    <Dialog title={message('web.collections.add-accounts')} wide onClose={onClose}>
      <TextField type="search" label={message('web.collections.search')} value={text} onChange={setText} />
      <p className={styles.room} role="status">
        {isFull
          ? message('web.collections.full')
          : collection &&
            message('web.collections.room', {
              count: formatNumber(collection.itemCount),
              limit: formatNumber(MAX_ACCOUNTS),
            })}
      </p>
      <div className={styles.results}>
        {!accounts || !collection ? (
          isError ? (
            <LoadingFailed retry={() => void refetch()} />
          ) : (
            <AccountSkeletons count={3} />
          )
        ) : accounts.length === 0 ? (
          <p className={styles.empty}>
            {message(search === '' ? 'web.collections.no-followed' : 'web.collections.no-results')}
          </p>
        ) : (
          <>
            <h3 className={styles.title}>{label}</h3>
            <ul aria-label={label}>
              {accounts.map((account) => (
                <li key={account.id}>
                  <Candidate account={account} collection={collection} isFull={isFull} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  )
}

/** An account with the button that adds it or removes it, or with the reason why it cannot be added. */
function Candidate({ account, collection, isFull }: { account: Account; collection: Collection; isFull: boolean }) {
  const [isBusy, setIsBusy] = useState(false)
  const { addAccount, removeAccount } = useCollectionChanges()
  const item = itemOf(collection, account.id)
  const isAllowed = canBeAdded(account)
  const label = message(item ? 'web.collections.remove' : 'web.collections.add')
  const change = async () => {
    setIsBusy(true)
    try {
      await (item ? removeAccount(collection, account.id) : addAccount(collection.id, account))
    } catch (error) {
      const otherwise = message(item ? 'web.collections.remove-failed' : 'web.collections.add-failed')
      showToast({ kind: 'alert', text: reasonOfRefusal(error, otherwise) })
    } finally {
      setIsBusy(false)
    }
  }
  const note = item
    ? item.state === 'pending' && message('web.collections.pending')
    : !isAllowed &&
      message(account.featureApproval.currentUser === 'missing' ? 'web.collections.missing' : 'web.collections.denied')
  return (
    <AccountRow account={account} note={note}>
      {(item || isAllowed) && (
        <SteadyButton
          className={item ? 'button button-line button-small' : 'button button-small'}
          aria-label={`${label} @${account.acct}`}
          isUnusable={isBusy || (isFull && !item)}
          onClick={() => void change()}
        >
          {label}
        </SteadyButton>
      )}
    </AccountRow>
  )
}
