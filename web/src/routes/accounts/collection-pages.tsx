import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { CollectionMenu } from '../../features/collections/collection-menu.tsx'
import { collectionQuery } from '../../features/collections/collection-queries.ts'
import { AddAccountsDialog } from '../../features/collections/dialogs/add-accounts-dialog.tsx'
import { CollectionDialog } from '../../features/collections/dialogs/collection-dialog.tsx'
import { CollectionOverview } from '../../features/collections/lists/collection-overview.tsx'
import { useCollectionLimit } from '../../features/collections/use-collection-limit.ts'
import { CollectionView } from '../../features/collections/view/collection-view.tsx'
import { isMissing } from '../../lib/api/is-missing.ts'
import { message } from '../../lib/i18n/messages.ts'
import { currentAccountId } from '../../lib/session.ts'
import type { CollectionWithAccounts } from '../../lib/api/entities.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import styles from './collection-pages.module.css'

export function CollectionsPage() {
  const [isCreating, setIsCreating] = useState(false)
  const { isReached } = useCollectionLimit()
  const navigate = useNavigate()
  return (
    <>
      <PageHead title={message('web.profile.collections')} back>
        {!isReached && <HeadButton label={message('web.collections.new')} onClick={() => setIsCreating(true)} />}
      </PageHead>
      <CollectionOverview />
      {isCreating && (
        <CollectionDialog
          onSaved={({ id }) => void navigate({ to: '/collections/$id', params: { id } })}
          onClose={() => setIsCreating(false)}
        />
      )}
    </>
  )
}

export function CollectionPage() {
  const { id } = useParams({ from: '/collections/$id' })
  // Another collection starts with its own state.
  return <Collection key={id} id={id} />
}

function Collection({ id }: { id: string }) {
  const query = useQuery(collectionQuery(id))
  const data = isMissing(query.error) ? undefined : query.data
  return (
    <>
      <PageHead title={data?.collection.name ?? message('web.collection.title')} back>
        {data && <CollectionActions data={data} />}
      </PageHead>
      <CollectionView id={id} />
    </>
  )
}

/** What the user can do with a collection. Its owner can add accounts. */
function CollectionActions({ data: { collection, accounts } }: { data: CollectionWithAccounts }) {
  const [isAdding, setIsAdding] = useState(false)
  const navigate = useNavigate()
  const isOwn = collection.accountId === currentAccountId()
  return (
    <>
      {isOwn && <HeadButton label={message('web.collections.add-accounts')} onClick={() => setIsAdding(true)} />}
      <CollectionMenu
        collection={collection}
        curator={accounts.find(({ id }) => id === collection.accountId)}
        {...(isOwn && { onGone: () => void navigate({ to: '/collections', replace: true }) })}
      />
      {isAdding && <AddAccountsDialog id={collection.id} onClose={() => setIsAdding(false)} />}
    </>
  )
}

/** The main button of a heading, which has no room for its text in narrow windows. */
function HeadButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      className={`button button-small ${styles.button}`}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon name="plus" />
      <span>{label}</span>
    </button>
  )
}
