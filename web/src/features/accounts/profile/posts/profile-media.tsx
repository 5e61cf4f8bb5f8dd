import { Link } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import type { Account, MediaAttachment } from '../../../../lib/api/entities.ts'
import { useEntity } from '../../../../lib/store/use-entity.ts'
import { Icon } from '../../../../ui/icons/icon.tsx'
import { LoadingFailed, NextPage } from '../../../../ui/lists/paged-list.tsx'
import { statusStore } from '../../../statuses/status-store.ts'
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
  return status?.mediaAttachments.map((attachment) => (
    <li key={attachment.id} className={styles.item}>
      <MediaTile attachment={attachment} acct={status.account.acct} statusId={id} isSensitive={status.sensitive} />
    </li>
  ))
}

function MediaTile({
  attachment: { type, previewUrl, description },
  acct,
  statusId,
  isSensitive,
}: {
  attachment: MediaAttachment
  acct: string
  statusId: string
  isSensitive: boolean
}) {
  const [isCovered, setIsCovered] = useState(isSensitive)
  if (isCovered)
    return (
      <button type="button" className={styles.cover} onClick={() => setIsCovered(false)}>
        <Icon name="hidden" />
        {message('web.media.sensitive')}
      </button>
    )
  return (
    <Link to="/@{$acct}/$id" params={{ acct, id: statusId }} className={styles.link}>
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
