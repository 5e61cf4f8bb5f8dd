import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatCount, formatFullTime, formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import type { MessageId } from '../../../lib/i18n/messages.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { openStatusDialog } from '../actions/open-status-dialog.ts'
import { QuotedStatus } from '../content/quoted-status.tsx'
import { StatusActions } from '../actions/status-action-bar.tsx'
import { StatusBody } from '../content/status-body.tsx'
import { domainOf } from '../actions/status-commands.ts'
import { nameOf } from '../card/status-name.ts'
import { ReplyReason } from '../card/status-reason.tsx'
import type { StoredStatus } from '../status-store.ts'
import { VisibilityIcon } from '../card/visibility-icon.tsx'
import styles from './main-status.module.css'

/**
 * The status of a thread page: large, with all that lists leave out. The focus begins here.
 * @param hasParent whether the status that it answers stands above it
 */
export function MainStatus({ status, hasParent }: { status: StoredStatus; hasParent: boolean }) {
  const { account, quote } = status
  return (
    <article
      className={styles.main}
      tabIndex={0}
      aria-label={nameOf(status, null)}
      aria-current="true"
      data-status={status.id}
      data-start
      lang={status.language ?? undefined}
    >
      {!hasParent && <ReplyReason status={status} />}
      <header>
        <Link
          to="/@{$acct}"
          params={{ acct: account.acct }}
          className={styles.author}
          data-key="p"
          data-card={account.acct}
        >
          <Avatar account={account} />
          <span className={styles.names}>
            <strong>
              <DisplayName account={account} />
            </strong>
            <bdi className={styles.handle}>@{account.acct}</bdi>
          </span>
        </Link>
      </header>
      <div className={styles.body}>
        <StatusBody status={status} folds={false}>
          {quote && <QuotedStatus quote={quote} />}
        </StatusBody>
      </div>
      <Facts status={status} />
      <Counts status={status} />
      <StatusActions status={status} />
    </article>
  )
}

/** When, for whom and with what the status was written, and where the original is. */
function Facts({ status }: { status: StoredStatus }) {
  const { account, application, createdAt, editedAt, url, visibility } = status
  const domain = domainOf(account)
  const facts: ReactNode[] = [
    <time key="time" dateTime={createdAt}>
      {formatFullTime(new Date(createdAt))}
    </time>,
    <span key="visibility" className={styles.visibility}>
      <VisibilityIcon visibility={visibility} />
      <span aria-hidden={visibility !== 'public'}>{message(`web.visibility.${visibility}`)}</span>
    </span>,
  ]
  if (application?.name)
    facts.push(
      application.website ? (
        <a key="app" href={application.website} target="_blank" rel="noopener noreferrer">
          {application.name}
        </a>
      ) : (
        <span key="app">{application.name}</span>
      ),
    )
  if (editedAt !== null)
    facts.push(
      <button
        key="edited"
        type="button"
        className={styles.link}
        onClick={() => openStatusDialog({ type: 'history', status })}
      >
        {message('web.thread.edited', { time: formatFullTime(new Date(editedAt)) })}
      </button>,
    )
  if (domain && url !== null)
    facts.push(
      <a key="original" href={url} target="_blank" rel="noopener noreferrer">
        {message('web.thread.original', { domain })}
      </a>,
    )
  return <p className={styles.facts}>{facts}</p>
}

const LISTS = [
  ['reblogs', 'reblogsCount', '/@{$acct}/$id/reblogs'],
  ['favourites', 'favouritesCount', '/@{$acct}/$id/favourites'],
  ['quotes', 'quotesCount', '/@{$acct}/$id/quotes'],
] as const

function Counts({ status }: { status: StoredStatus }) {
  const lists = LISTS.filter(([, count]) => status[count] > 0)
  if (lists.length === 0) return null
  return (
    <ul className={styles.counts}>
      {lists.map(([name, count, to]) => (
        <li key={name}>
          <Link to={to} params={{ acct: status.account.acct, id: status.id }} title={formatNumber(status[count])}>
            {message(`web.thread.${name}` satisfies MessageId, {
              number: status[count],
              count: formatCount(status[count]),
            })}
          </Link>
        </li>
      ))}
    </ul>
  )
}
