import { lazy, useState } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { currentAccountId } from '../../lib/session.ts'
import type { Account, Collection } from '../../lib/api/entities.ts'
import { Confirmation } from '../../ui/dialogs/confirmation.tsx'
import { Icon } from '../../ui/icons/icon.tsx'
import { LazyPart } from '../../ui/lazy-part.tsx'
import { MenuButton } from '../../ui/menus/menu.tsx'
import type { MenuItem } from '../../ui/menus/menu.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { copyText } from '../accounts/profile/header/copy-text.ts'
import { useCollectionChanges } from './collection-changes.ts'
import { itemOf } from './collection-queries.ts'
import { CollectionDialog } from './dialogs/collection-dialog.tsx'
import { LeaveDialog } from './dialogs/leave-dialog.tsx'
import styles from './collection-menu.module.css'

const ReportDialog = lazy(async () => ({ default: (await import('../reports/report-dialog.tsx')).ReportDialog }))

/** The menu of a collection, with the dialogs that it opens. `curator`: its owner. */
export function CollectionMenu({
  collection,
  curator,
  onGone,
}: {
  collection: Collection
  curator: Account | undefined
  /** Called after the user has deleted the collection or left it. */
  onGone?: () => void
}) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | 'leave' | 'report' | null>(null)
  const { deleteCollection } = useCollectionChanges()
  const { id, name, url, local, accountId } = collection
  const isOwn = accountId === currentAccountId()
  const close = () => setDialog(null)
  const remove = async () => {
    try {
      await deleteCollection(id)
      showToast({ kind: 'good', text: message('web.collections.deleted') })
      onGone?.()
    } catch {
      showToast({
        kind: 'alert',
        text: message('web.collections.delete-failed'),
        action: { label: message('web.retry'), run: () => void remove() },
      })
    }
  }
  const items: MenuItem[] = [
    { label: message('web.menu.copy-link'), icon: 'copy', run: () => void copyText(url) },
    ...('share' in navigator
      ? [
          {
            label: message('web.menu.share'),
            icon: 'share' as const,
            run: () => void navigator.share({ url }).catch(() => undefined),
          },
        ]
      : []),
  ]
  if (!local)
    items.push({
      label: message('web.menu.open-original'),
      icon: 'external',
      run: () => window.open(url, '_blank', 'noopener,noreferrer'),
    })
  if (isOwn) {
    items.unshift({ label: message('web.collections.edit'), icon: 'write', run: () => setDialog('edit') })
    items.push({
      label: message('web.collections.delete'),
      icon: 'trash',
      dangerous: true,
      run: () => setDialog('delete'),
    })
  } else {
    if (itemOf(collection, currentAccountId()))
      items.push({
        label: message('web.collections.leave'),
        icon: 'close',
        dangerous: true,
        run: () => setDialog('leave'),
      })
    if (curator)
      items.push({
        label: message('web.collections.report'),
        icon: 'flag',
        dangerous: true,
        run: () => setDialog('report'),
      })
  }
  return (
    <>
      <MenuButton
        label={message('web.collections.menu', { name })}
        className={`button button-line ${styles.button}`}
        items={items}
      >
        <Icon name="more" />
      </MenuButton>
      {dialog === 'edit' && <CollectionDialog collection={collection} onClose={close} />}
      {dialog === 'delete' && (
        <Confirmation
          title={message('web.collections.delete-title')}
          text={message('web.collections.delete-text', { name })}
          confirm={message('web.collections.delete-confirm')}
          onConfirm={() => void remove()}
          onClose={close}
        />
      )}
      {dialog === 'leave' && <LeaveDialog collection={collection} onLeft={onGone} onClose={close} />}
      {dialog === 'report' && curator && (
        <LazyPart onFailure={close}>
          <ReportDialog account={curator} collection={collection} onClose={close} />
        </LazyPart>
      )}
    </>
  )
}
