import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { AdminReport } from '../../../lib/api/admin-entities.ts'
import { useEntity } from '../../../lib/store/use-entity.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { QuotedStatus } from '../../statuses/content/quoted-status.tsx'
import { StatusBody } from '../../statuses/content/status-body.tsx'
import { saveStatuses, statusStore } from '../../statuses/status-store.ts'
import { BoostReason } from '../../statuses/card/status-reason.tsx'
import { VisibilityIcon } from '../../statuses/card/visibility-icon.tsx'
import { AccountLine } from '../shared/list/account-line.tsx'
import { parentQuery } from './report-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './reported-posts.module.css'

/** The reported posts below the posts to which they reply. All media are covered at first. */
export function ReportedPosts({ report: { statuses, collections } }: { report: AdminReport }) {
  useEffect(() => void saveStatuses(statuses), [statuses])
  return (
    <section className={admin.part}>
      <h2>{message('web.admin.reports.posts', { count: statuses.length })}</h2>
      {statuses.length === 0 && collections.length === 0 && <p>{message('web.admin.reports.no-posts')}</p>}
      {statuses.map(({ id, inReplyToId }, index) => (
        <div key={id} className={styles.context}>
          {inReplyToId && inReplyToId !== statuses[index - 1]?.inReplyToId && <Parent id={inReplyToId} />}
          <Post id={id} />
        </div>
      ))}
    </section>
  )
}

function Parent({ id }: { id: string }) {
  const { data: parentId } = useQuery(parentQuery(id))
  if (parentId === undefined) return null
  if (parentId === null) return <p className={admin.soft}>{message('web.admin.reports.parent-gone')}</p>
  return (
    <div className={styles.parent}>
      <Post id={parentId} />
    </div>
  )
}

/** A post, or the one that it boosts. */
function Post({ id }: { id: string }) {
  const outer = useEntity(statusStore, id)
  const status = useEntity(statusStore, outer?.reblogId ?? id)
  if (!outer || !status) return null
  const { account, spoilerText, quote } = status
  return (
    <article className={styles.post} tabIndex={0} aria-label={`@${account.acct}`} lang={status.language ?? undefined}>
      {outer.reblogId !== null && (
        <div>
          <BoostReason status={outer} />
        </div>
      )}
      <header className={styles.head}>
        <AccountLine account={account} size="s" />
        <span className={styles.meta}>
          <VisibilityIcon visibility={status.visibility} />
          <Link to="/@{$acct}/$id" params={{ acct: account.acct, id: status.id }}>
            <TimeAgo time={status.createdAt} />
          </Link>
        </span>
      </header>
      {spoilerText !== '' && (
        <p className={styles.warning} dir="auto">
          {spoilerText}
        </p>
      )}
      <StatusBody status={{ ...status, spoilerText: '', sensitive: true }}>
        {quote && <QuotedStatus quote={quote} />}
      </StatusBody>
    </article>
  )
}
