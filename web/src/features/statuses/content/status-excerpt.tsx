import { Link } from '@tanstack/react-router'
import { message } from '../../../lib/i18n/messages.ts'
import { excerptOf } from './status-text.ts'
import type { StoredStatus } from '../status-store.ts'
import styles from './status-excerpt.module.css'

/** The first lines of a status, as a link to it. */
export function StatusExcerpt({ status }: { status: StoredStatus }) {
  const { account, spoilerText, mediaAttachments, content } = status
  const text = spoilerText || excerptOf(content ?? '')
  const media = mediaAttachments.length
  return (
    <Link
      to="/@{$acct}/$id"
      params={{ acct: account.acct, id: status.id }}
      className={styles.excerpt}
      dir="auto"
      lang={status.language ?? undefined}
      data-key="o"
    >
      {text || (media > 0 ? message('web.status.media-count', { count: media }) : message('web.thread.title'))}
    </Link>
  )
}
