import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AdminTag } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { recentUsageOf } from '../../tags/usage.ts'
import { excerptOf } from '../../statuses/content/status-text.ts'
import { ResourceDialog } from '../block-lists/resource-dialog.tsx'
import { AccountLine } from '../shared/list/account-line.tsx'
import { StateMark } from '../shared/list/state-mark.tsx'
import { tagForm } from './tag-form.ts'
import type { TrendRow } from './trend-queries.ts'
import admin from '../shared/admin.module.css'
import rows from '../shared/list/row.module.css'
import styles from './trend-entry.module.css'

/** A trend with a checkbox, its review, and buttons that approve and reject it. */
export function TrendEntry({
  row,
  isSelected,
  onSelect,
  onDecide,
}: {
  row: TrendRow
  isSelected: boolean
  onSelect: () => void
  onDecide: (decision: 'approve' | 'reject') => void
}) {
  const name = nameOf(row)
  return (
    <article className={rows.row} tabIndex={0} aria-label={name}>
      <label className={admin.check}>
        <input type="checkbox" checked={isSelected} onChange={onSelect} />
        <span className="unseen">{name}</span>
      </label>
      <div className={rows.body}>
        <Subject row={row} />
        <p>
          <ReviewState row={row} />
        </p>
      </div>
      <div className={admin.actions}>
        {row.kind === 'tags' && <EditTag tag={row.trend} />}
        {(['approve', 'reject'] as const).map((decision) => (
          <button
            key={decision}
            type="button"
            className="button button-line button-small"
            aria-label={`${message(`web.admin.${decision}`)}: ${name}`}
            onClick={() => onDecide(decision)}
          >
            {message(`web.admin.${decision}`)}
          </button>
        ))}
      </div>
    </article>
  )
}

function EditTag({ tag }: { tag: AdminTag }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="button button-line button-small"
        aria-label={message('web.admin.edit-name', { name: `#${tag.name}` })}
        onClick={() => setIsOpen(true)}
      >
        {message('web.admin.edit')}
      </button>
      {isOpen && <ResourceDialog resource={tagForm()} subject={{ row: tag }} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function nameOf(row: TrendRow): string {
  switch (row.kind) {
    case 'statuses':
      return `@${row.trend.account.acct}: ${excerptOf(row.trend.spoilerText || (row.trend.content ?? ''))}`
    case 'tags':
      return `#${row.trend.name}`
    case 'links':
      return row.trend.title || row.trend.url
    case 'publishers':
      return row.trend.domain
  }
}

function Subject({ row }: { row: TrendRow }) {
  switch (row.kind) {
    case 'statuses': {
      const { account, id, spoilerText, content, language, createdAt, favouritesCount, reblogsCount } = row.trend
      return (
        <>
          <AccountLine account={account} size="s" />
          <p dir="auto" lang={language ?? undefined}>
            {excerptOf(spoilerText || (content ?? ''))}
          </p>
          <p className={admin.soft}>
            <Link to="/@{$acct}/$id" params={{ acct: account.acct, id }} data-key="o">
              <TimeAgo time={createdAt} />
            </Link>
            {' · '}
            {message('web.admin.trends.favourites', { count: favouritesCount })}
            {' · '}
            {message('web.admin.trends.boosts', { count: reblogsCount })}
          </p>
        </>
      )
    }
    case 'tags': {
      const { name, history } = row.trend
      return (
        <>
          <strong>
            <Link to="/tags/$tag" params={{ tag: name }} className={styles.link} data-key="o">
              <bdi>#{name}</bdi>
            </Link>
          </strong>
          <p className={admin.soft}>{message('web.admin.trends.people', { count: recentUsageOf(history).people })}</p>
        </>
      )
    }
    case 'links': {
      const { url, title, providerName, language, history } = row.trend
      return (
        <>
          <strong dir="auto" lang={language ?? undefined}>
            <a href={url} className={styles.link} target="_blank" rel="noopener noreferrer" data-key="o">
              {title || url}
            </a>
          </strong>
          <p className={admin.soft}>
            <bdi>{providerName || new URL(url).hostname}</bdi>
            {' · '}
            {message('web.admin.trends.people', { count: recentUsageOf(history).people })}
          </p>
        </>
      )
    }
    case 'publishers':
      return (
        <strong>
          <bdi>{row.trend.domain}</bdi>
        </strong>
      )
  }
}

function ReviewState({ row }: { row: TrendRow }) {
  if (row.requiresReview) return <StateMark tone="alert">{message('web.admin.trends.state.pending')}</StateMark>
  return row.trend.trendable ? (
    <StateMark tone="good">{message('web.admin.trends.state.approved')}</StateMark>
  ) : (
    <StateMark tone="plain">{message('web.admin.trends.state.rejected')}</StateMark>
  )
}
