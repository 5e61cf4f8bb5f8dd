import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import type { List } from '../../lib/api/entities.ts'
import { AccountSkeletons } from '../accounts/lists/account-skeletons.tsx'
import { Confirmation } from '../../ui/dialogs/confirmation.tsx'
import { Icon } from '../../ui/icons/icon.tsx'
import { MenuButton } from '../../ui/menus/menu.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { LoadingFailed } from '../../ui/lists/paged-list.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { ListDialog } from './list-dialog.tsx'
import { listsQuery, useListChanges } from './list-queries.ts'
import styles from './list-overview.module.css'

/** The lists of the user. */
export function ListOverview() {
  // The navigation may have loaded them earlier.
  const { data, isError, refetch } = useQuery({ ...listsQuery, refetchOnMount: 'always' })
  const overview = useRef<HTMLUListElement>(null)
  if (!data) return isError ? <LoadingFailed retry={() => void refetch()} /> : <AccountSkeletons count={3} />
  if (data.length === 0)
    return (
      <Notice icon="list" title={message('web.list.empty')}>
        <p>{message('web.list.empty-hint')}</p>
      </Notice>
    )
  /** The focus goes to the entry that takes the place of the deleted one. */
  const focusEntry = (index: number) => {
    const links = overview.current?.querySelectorAll('a') ?? []
    ;(links[index] ?? links[index - 1] ?? document.querySelector<HTMLElement>('main h1'))?.focus()
  }
  return (
    <ul ref={overview} aria-label={message('web.list.lists')}>
      {data.map((list, index) => (
        <li key={list.id} className={styles.row}>
          <Link to="/lists/$id" params={{ id: list.id }} className={styles.link}>
            <Icon name="list" />
            <bdi>{list.title}</bdi>
          </Link>
          <ListMenu list={list} onDeleted={() => focusEntry(index)} />
        </li>
      ))}
    </ul>
  )
}

/** The menu of a list, with the dialogs that it opens. */
export function ListMenu({ list, onDeleted }: { list: List; onDeleted: () => void }) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const { deleteList } = useListChanges()
  const close = () => setDialog(null)
  const remove = async () => {
    try {
      await deleteList(list.id)
      onDeleted()
    } catch {
      showToast({
        kind: 'alert',
        text: message('web.list.delete-failed'),
        action: { label: message('web.retry'), run: () => void remove() },
      })
    }
  }
  return (
    <>
      <MenuButton
        label={message('web.list.menu', { title: list.title })}
        className={`button button-line ${styles.menu}`}
        items={[
          { label: message('web.list.edit'), icon: 'write', run: () => setDialog('edit') },
          { label: message('web.list.delete'), icon: 'trash', dangerous: true, run: () => setDialog('delete') },
        ]}
      >
        <Icon name="more" />
      </MenuButton>
      {dialog === 'edit' && <ListDialog list={list} onClose={close} />}
      {dialog === 'delete' && (
        <Confirmation
          title={message('web.list.delete-title')}
          text={message('web.list.delete-text', { title: list.title })}
          confirm={message('web.list.delete-confirm')}
          onConfirm={() => void remove()}
          onClose={close}
        />
      )}
    </>
  )
}
