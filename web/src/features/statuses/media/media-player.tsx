import type { MediaAttachment } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'

/** A video, an animated picture or an audio file. Nothing plays by itself. */
export function MediaPlayer({
  attachment: { type, url, previewUrl, description },
  className,
}: {
  attachment: MediaAttachment
  className: string | undefined
}) {
  const common = {
    className,
    src: url ?? undefined,
    controls: true,
    preload: 'none',
    'aria-label': description ?? message('web.media.no-description'),
  } as const
  if (type === 'audio') return <audio {...common} />
  const isAnimation = type === 'gifv'
  return <video {...common} poster={previewUrl ?? undefined} loop={isAnimation} muted={isAnimation} playsInline />
}
