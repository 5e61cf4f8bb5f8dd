import { useState } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import type { Account, Collection } from '../../../lib/api/entities.ts'
import { SteadyButton } from '../../../ui/forms/steady-button.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { AccountRow } from '../../accounts/lists/account-row.tsx'
import { FollowButton } from '../../relationships/follow-button.tsx'
import { useCollectionChanges } from '../collection-changes.ts'
import styles from './collection-view.module.css'

/** An account of a collection. `isOwn`: the user owns the collection, so it can be removed. */
export function CollectionMember({
  collection,
  account,
  item,
  isOwn,
}: {
  collection: Collection
  account: Account
  item: Collection['items'][number]
  isOwn: boolean
}) {
  return (
    <AccountRow
      account={account}
      withBiography
      note={
        item.state === 'pending' && (
          <span className={styles.mark}>
            <Icon name="clock" />
            {message('web.collections.pending')}
          </span>
        )
      }
    >
      <FollowButton account={account} />
      {isOwn && <RemoveButton collection={collection} account={account} />}
    </AccountRow>
  )
}

function RemoveButton({ collection, account }: { collection: Collection; account: Account }) {
  const [isRemoving, setIsRemoving] = useState(false)
  const { removeAccount } = useCollectionChanges()
  const label = `${message('web.collections.remove')} @${account.acct}`
  const remove = async (button: HTMLElement) => {
    setIsRemoving(true)
    const row = button.closest('li')
    const neighbour = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector<HTMLElement>(
      '[data-remove]',
    )
    try {
      await removeAccount(collection, account.id)
      ;(neighbour ?? document.querySelector<HTMLElement>('main h1'))?.focus()
    } catch {
      setIsRemoving(false)
      showToast({
        kind: 'alert',
        text: message('web.collections.remove-failed'),
        action: { label: message('web.retry'), run: () => void remove(button) },
      })
    }
  }
  return (
    <SteadyButton
      className={`button button-line button-small ${styles.remove}`}
      aria-label={label}
      title={label}
      data-remove=""
      isUnusable={isRemoving}
      onClick={({ currentTarget }) => void remove(currentTarget)}
    >
      <Icon name="close" />
    </SteadyButton>
  )
}
