import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { currentAccountId } from '../../../lib/session.ts'
import type { Account, Collection } from '../../../lib/api/entities.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Checkbox } from '../../../ui/forms/form-fields.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import { LoadingFailed } from '../../../ui/lists/paged-list.tsx'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { useCollectionChanges } from '../collection-changes.ts'
import { reasonOfRefusal } from '../collection-problems.ts'
import { canBeAdded, collectionsQuery, itemOf, MAX_ACCOUNTS } from '../collection-queries.ts'
import { useCollectionLimit } from '../use-collection-limit.ts'
import { CollectionDialog } from './collection-dialog.tsx'

/** Adds an account to collections of the user and removes it from them. */
export function AccountCollectionsDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { data, isError, refetch } = useQuery(collectionsQuery(currentAccountId()))
  const { isReached } = useCollectionLimit()
  const [isCreating, setIsCreating] = useState(false)
  const isAllowed = canBeAdded(account)
  const name = `@${account.acct}`
  // From the others, there is nothing to remove.
  const collections = data?.filter((collection) => isAllowed || itemOf(collection, account.id)) ?? []
  return (
    <Dialog title={message('web.collections.of-account', { name })} onClose={onClose}>
      {!isAllowed && (
        <p>
          {account.featureApproval.currentUser === 'missing'
            ? message('web.collections.missing-account', { name })
            : message('web.collections.denied-account', { name })}
        </p>
      )}
      {isError && !data && <LoadingFailed retry={() => void refetch()} />}
      {!data && !isError && <p role="status">{message('web.loading')}</p>}
      {data?.length === 0 && isAllowed && <p>{message('web.collections.none')}</p>}
      {collections.map((collection) => (
        <Membership key={collection.id} collection={collection} account={account} />
      ))}
      {isAllowed && data && !isReached && (
        <p>
          <button type="button" className="button button-line" onClick={() => setIsCreating(true)}>
            <Icon name="plus" />
            {message('web.collections.new')}
          </button>
        </p>
      )}
      {isCreating && <CollectionDialog accountIds={[account.id]} onClose={() => setIsCreating(false)} />}
    </Dialog>
  )
}

function Membership({ collection, account }: { collection: Collection; account: Account }) {
  /** What the user has chosen until the server has answered. */
  const [chosen, setChosen] = useState<boolean | null>(null)
  const { addAccount, removeAccount } = useCollectionChanges()
  const item = itemOf(collection, account.id)
  const isFull = !item && collection.itemCount >= MAX_ACCOUNTS
  const change = async (isIn: boolean) => {
    if (chosen !== null) return
    setChosen(isIn)
    try {
      await (isIn ? addAccount(collection.id, account) : removeAccount(collection, account.id))
    } catch (error) {
      const otherwise = message(isIn ? 'web.collections.add-failed' : 'web.collections.remove-failed')
      showToast({ kind: 'alert', text: reasonOfRefusal(error, otherwise) })
    } finally {
      setChosen(null)
    }
  }
  const hint =
    item?.state === 'pending'
      ? message('web.collections.pending')
      : isFull
        ? message('web.collections.room', {
            count: formatNumber(collection.itemCount),
            limit: formatNumber(MAX_ACCOUNTS),
          })
        : undefined
  return (
    <Checkbox
      label={<bdi>{collection.name}</bdi>}
      isChecked={chosen ?? item !== undefined}
      onChange={(isIn) => void change(isIn)}
      {...(hint !== undefined && { hint })}
    />
  )
}
