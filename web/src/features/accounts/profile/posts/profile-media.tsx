import { Link } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { message } from '../../../../lib/i18n/messages.ts'
import type { Account, MediaAttachment } from '../../../../lib/api/entities.ts'
import { coversMedia } from '../../../../lib/settings.ts'
import { useEntity } from '../../../../lib/store/use-entity.ts'
import { Icon } from '../../../../ui/icons/icon.tsx'
import { LoadingFailed, NextPage } from '../../../../ui/lists/paged-list.tsx'
import { findFiltering } from '../../../statuses/content/filters.ts'
import { coverTitle } from '../../../statuses/media/cover-title.ts'
import { statusStore } from '../../../statuses/status-store.ts'
import type { StoredStatus } from '../../../statuses/status-store.ts'
import { findOrCreateTimeline } from '../../../timelines/timelines.ts'
import { EmptyProfile } from './empty-profile.tsx'
import styles from './profile-media.module.css'

/** The media of an account as a grid. Each opens its post. */
export function ProfileMedia({ account }: { account: Account }) {
  const timeline = findOrCreateTimeline({ type: 'account-media', id: account.id })
  const { entries, loading, failed, complete } = useSyncExternalStore(timeline.subscribe, timeline.getState)
  useEffect(() => void timeline.loadNewest(), [timeline])
  if (entries.length === 0) {
    if (failed) return <LoadingFailed retry={() => void timeline.loadNewest()} />
    if (complete) return <EmptyProfile account={account} />
    return (
      <div className={styles.grid} role="status">
        <span className="unseen">{message('web.loading')}</span>
        {Array.from({ length: 9 }, (_, index) => (
          <div key={index} className={styles.item} aria-hidden="true" />
        ))}
      </div>
    )
  }
  return (
    <>
      <ul className={styles.grid} aria-label={message('web.profile.tab-media')} aria-busy={loading !== null}>
        {entries.map(({ type, id }) => type === 'status' && <MediaOfStatus key={id} id={id} />)}
      </ul>
      {failed ? (
        <LoadingFailed retry={() => void timeline.loadOlder()} />
      ) : (
        !complete && <NextPage isLoading={loading !== null} load={() => void timeline.loadOlder()} />
      )}
    </>
  )
}

function MediaOfStatus({ id }: { id: string }) {
  const status = useEntity(statusStore, id)
  const filtering = findFiltering(status ?? {}, 'account')
  if (!status || filtering?.action === 'hide') return null
  return status.mediaAttachments.map((attachment) => (
    <li key={attachment.id} className={styles.item}>
      <MediaTile attachment={attachment} status={status} filteredBy={filtering?.titles} />
    </li>
  ))
}

/** `filteredBy`: the names of the filters that cover it. */
function MediaTile({
  attachment: { type, previewUrl, description },
  status: { id, account, sensitive },
  filteredBy,
}: {
  attachment: MediaAttachment
  status: StoredStatus
  filteredBy: string | undefined
}) {
  const [isCovered, setIsCovered] = useState(coversMedia(sensitive) || filteredBy !== undefined)
  if (isCovered)
    return (
      <button
        type="button"
        className={styles.cover}
        onClick={({ currentTarget: { parentElement } }) => {
          flushSync(() => setIsCovered(false))
          parentElement?.querySelector('a')?.focus()
        }}
      >
        <Icon name="hidden" />
        {filteredBy ? message('web.filter.title', { name: filteredBy }) : coverTitle(sensitive)}
      </button>
    )
  return (
    <Link to="/@{$acct}/$id" params={{ acct: account.acct, id }} className={styles.link}>
      {previewUrl ? (
        <img
          src={previewUrl}
          alt={description || message('web.media.no-description')}
          loading="lazy"
          decoding="async"
        />
      ) : (
        <span className="unseen">{description || message('web.media.no-description')}</span>
      )}
      {type !== 'image' && (
        <span className={styles.kind}>
          <Icon name="play" />
        </span>
      )}
    </Link>
  )
}
