import { useEffect, useState } from 'react'
import { Icon } from '../../../ui/icons/icon.tsx'
import type { DraftMedia } from '../../drafts/draft.ts'
import styles from './media-list.module.css'

/** The picture of a file, before it is uploaded, too. Decorative: its buttons have names. */
export function MediaPicture({ media, isWhole = false }: { media: DraftMedia; isWhole?: boolean }) {
  const { file, attachment, focus } = media
  const fileUrl = useFileUrl(file)
  const className = isWhole ? styles.whole : styles.cropped
  const objectPosition = isWhole ? undefined : `${toPercent(focus?.x ?? 0)}% ${toPercent(-(focus?.y ?? 0))}%`
  if (file?.type.startsWith('video/') && fileUrl !== null)
    return <video className={className} src={fileUrl} muted playsInline preload="metadata" aria-hidden="true" />
  const isPicture = file ? file.type.startsWith('image/') : attachment?.type !== 'audio'
  const url = isPicture ? (fileUrl ?? attachment?.previewUrl ?? attachment?.url ?? null) : null
  if (url === null)
    return (
      <span className={styles.blank}>
        <Icon name={isPicture ? 'image' : 'play'} />
      </span>
    )
  return <img className={className} style={{ objectPosition }} src={url} alt="" draggable={false} />
}

const toPercent = (coordinate: number) => (coordinate + 1) * 50

/** Returns a URL of a file of this window, or null. */
function useFileUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return setUrl(null)
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [file])
  return url
}
