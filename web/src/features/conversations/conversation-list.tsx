import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, useEffect, useRef } from 'react'
import type { Conversation } from '../../lib/api/entities.ts'
import { locale, message } from '../../lib/i18n/messages.ts'
import { useEntity } from '../../lib/store/use-entity.ts'
import { onStreamOpen, useStreamEvents } from '../../lib/stream-events.ts'
import { Avatar } from '../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../ui/accounts/display-name.tsx'
import { Icon } from '../../ui/icons/icon.tsx'
import { MenuButton } from '../../ui/menus/menu.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { PageEnd } from '../../ui/lists/page-end.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { StatusSkeletons } from '../statuses/card/status-skeleton.tsx'
import { excerptOf } from '../statuses/content/status-text.ts'
import { statusStore } from '../statuses/status-store.ts'
import {
  conversationsQuery,
  deleteConversation,
  markConversation,
  receiveConversation,
} from './conversation-queries.ts'
import type { LoadedConversation } from './conversation-queries.ts'
import styles from './conversation-list.module.css'

/** The private conversations of the user, the newest first. */
export function ConversationList() {
  const query = useInfiniteQuery(conversationsQuery)
  const client = useQueryClient()
  const conversations = query.data?.pages.flat() ?? []
  const list = useRef<HTMLUListElement>(null)
  useStreamEvents('direct', ({ event, payload }) => {
    if (event === 'conversation') receiveConversation(client, payload as unknown as Conversation)
  })
  useEffect(
    () => onStreamOpen(() => void client.invalidateQueries({ queryKey: conversationsQuery.queryKey })),
    [client],
  )

  const run = async (action: () => Promise<void>) => {
    try {
      await action()
    } catch {
      showToast({
        kind: 'alert',
        text: message('web.conversations.change-failed'),
        action: { label: message('web.retry'), run: () => void run(action) },
      })
    }
  }
  const remove = (id: string) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-conversation]') ?? [])]
    const index = links.findIndex(({ dataset }) => dataset['conversation'] === id)
    ;(links[index + 1] ?? links[index - 1] ?? document.querySelector<HTMLElement>('main h1'))?.focus()
    void run(() => deleteConversation(client, id))
  }

  if (query.isPending) return <StatusSkeletons />
  if (query.isError && conversations.length === 0)
    return (
      <Notice icon="warning" title={message('web.conversations.failed')} role="alert">
        <button type="button" className="button" onClick={() => void query.refetch()}>
          {message('web.retry')}
        </button>
      </Notice>
    )
  if (conversations.length === 0) return <Notice icon="mail" title={message('web.conversations.empty')} />
  return (
    <>
      <ul ref={list} aria-label={message('web.nav.conversations')}>
        {conversations.map((conversation) => (
          <ConversationItem
            key={conversation.id}
            conversation={conversation}
            onMark={(unread) => void run(() => markConversation(client, { id: conversation.id, unread }))}
            onDelete={() => remove(conversation.id)}
          />
        ))}
      </ul>
      <PageEnd query={query} />
    </>
  )
}

function ConversationItem({
  conversation: { id, unread, accounts, lastStatusId },
  onMark,
  onDelete,
}: {
  conversation: LoadedConversation
  onMark: (unread: boolean) => void
  onDelete: () => void
}) {
  const status = useEntity(statusStore, lastStatusId ?? '')
  if (!status) return null
  return (
    <li className={unread ? `${styles.item} ${styles.unread}` : styles.item}>
      <Link
        to="/@{$acct}/$id"
        params={{ acct: status.account.acct, id: status.id }}
        className={styles.link}
        data-conversation={id}
        onClick={() => {
          if (unread) onMark(false)
        }}
      >
        <span className={styles.faces}>
          {accounts.slice(0, 4).map((account) => (
            <Avatar key={account.id} account={account} size={accounts.length > 1 ? 's' : 'm'} />
          ))}
        </span>
        <span className={styles.text}>
          <span className={styles.names}>
            {unread && <span className="unseen">{message('web.conversations.unread')} </span>}
            <Names accounts={accounts} />
          </span>
          <span className={styles.excerpt} dir="auto">
            {status.spoilerText || excerptOf(status.content ?? '')}
          </span>
        </span>
        <span className={styles.time}>
          <TimeAgo time={status.createdAt} />
        </span>
      </Link>
      <MenuButton
        label={message('web.conversations.menu', { name: `@${accounts[0]?.acct ?? ''}` })}
        className={`icon-button ${styles.menu}`}
        items={[
          {
            label: message(unread ? 'web.conversations.mark-read' : 'web.conversations.mark-unread'),
            icon: unread ? 'check' : 'mail',
            run: () => onMark(!unread),
          },
          { label: message('web.conversations.delete'), icon: 'trash', run: onDelete, dangerous: true },
        ]}
      >
        <Icon name="more" />
      </MenuButton>
    </li>
  )
}

const names = new Intl.ListFormat(locale, { type: 'conjunction' })

function Names({ accounts }: { accounts: Conversation['accounts'] }) {
  return names
    .formatToParts(accounts.map((_, index) => String(index)))
    .map(({ type, value }, index) => (
      <Fragment key={index}>{type === 'element' ? <DisplayName account={accounts[Number(value)]!} /> : value}</Fragment>
    ))
}
