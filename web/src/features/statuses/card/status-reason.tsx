import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import type { IconName } from '../../../ui/icons/icon.tsx'
import { statusStore } from '../status-store.ts'
import type { StoredStatus } from '../status-store.ts'
import styles from './status-card.module.css'

/** Above a status: who boosted it. */
export function BoostReason({ status: { account } }: { status: StoredStatus }) {
  return (
    <Reason icon="boost">
      <Link to="/@{$acct}" params={{ acct: account.acct }} data-card={account.acct}>
        <DisplayName account={account} />
      </Link>{' '}
      {message('web.status.boosted')}
    </Reason>
  )
}

/** Above a reply: whom it answers, with a link to that status. Nothing above other statuses. */
export function ReplyReason({
  status: { account, mentions, inReplyToId, inReplyToAccountId },
}: {
  status: StoredStatus
}) {
  if (inReplyToId === null) return null
  const isContinuation = inReplyToAccountId === account.id
  const parent = statusStore.get(inReplyToId)
  const acct = isContinuation
    ? account.acct
    : (mentions.find(({ id }) => id === inReplyToAccountId)?.acct ?? parent?.account.acct)
  const text = isContinuation
    ? message('web.status.continued-thread')
    : acct === undefined
      ? message('web.status.replied')
      : message('web.status.replied-to', { name: `@${acct}` })
  return (
    <Reason icon="reply">
      {acct === undefined ? (
        text
      ) : (
        <Link to="/@{$acct}/$id" params={{ acct, id: inReplyToId }}>
          {text}
        </Link>
      )}
    </Reason>
  )
}

function Reason({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <p className={styles.reason}>
      <Icon name={icon} />
      <span>{children}</span>
    </p>
  )
}
