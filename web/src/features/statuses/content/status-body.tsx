import { useId } from 'react'
import type { ReactNode } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import { renderEmojis } from '../../../lib/html/render-html.tsx'
import { clientSettings } from '../../../lib/settings.ts'
import { useRememberedState } from '../../../lib/store/use-remembered-state.ts'
import { LinkCard } from './link-card.tsx'
import { StatusContent } from './status-content.tsx'
import { StatusMedia } from '../media/status-media.tsx'
import { StatusPoll } from './status-poll.tsx'
import { TranslationControl } from './translation-control.tsx'
import { translated, useTranslation } from './translation.ts'
import type { StoredStatus } from '../status-store.ts'
import styles from './status-body.module.css'

/**
 * What a status says: the content warning with its button, or the text, the poll, the media, and the quoted status
 * (`children`) or the preview of a link. `blurredBy`: the names of the filters that cover the media.
 */
export function StatusBody({
  status: original,
  blurredBy,
  folds = true,
  children,
}: {
  status: StoredStatus
  blurredBy?: string | undefined
  folds?: boolean
  children?: ReactNode
}) {
  const translation = useTranslation(original)
  const status = translated(original, translation.translation)
  const { id, poll, card, quote, mediaAttachments } = status
  const hasWarning = status.spoilerText !== ''
  const [isOpen, setIsOpen] = useRememberedState(`warning-${id}`, !hasWarning || clientSettings.get().expandWarnings)
  const contentId = useId()
  const emojis = new Map(status.emojis.map((emoji) => [emoji.shortcode, emoji]))
  const isVisible = isOpen || !hasWarning
  return (
    <>
      {hasWarning && (
        <p className={styles.warning} dir="auto" lang={status.language ?? undefined}>
          <span>{renderEmojis(status.spoilerText, emojis)}</span>
          <button
            type="button"
            className="button button-small button-line"
            aria-expanded={isOpen}
            aria-controls={contentId}
            data-key="x"
            onClick={() => setIsOpen(!isOpen)}
          >
            {message(isOpen ? 'web.status.show-less' : 'web.status.show-more')}
          </button>
        </p>
      )}
      <div id={contentId} hidden={!isVisible}>
        {isVisible && (
          <>
            <StatusContent status={status} folds={folds} />
            <TranslationControl {...translation} />
            {poll && <StatusPoll statusId={id} poll={poll} />}
            <StatusMedia status={status} blurredBy={blurredBy} />
            {children}
            {card && !quote && mediaAttachments.length === 0 && <LinkCard card={card} />}
          </>
        )}
      </div>
    </>
  )
}
