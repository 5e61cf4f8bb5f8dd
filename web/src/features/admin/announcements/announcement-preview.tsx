import { Fragment } from 'react'
import type { ReactNode } from 'react'
import { extractEntities } from '../../../../../src/lib/text/entities/extract-entities.ts'
import type { CustomEmoji } from '../../../lib/api/entities.ts'
import { renderEmojis } from '../../../lib/html/render-html.tsx'
import styles from './announcements.module.css'

/** A text as it will look, with its links and emojis. Only the server resolves mentions, so they are not links here. */
export function AnnouncementPreview({ text, emojis }: { text: string; emojis: readonly CustomEmoji[] }) {
  const emojiByCode = new Map(emojis.map((emoji) => [emoji.shortcode, emoji]))
  return (
    <div className={styles.preview} dir="auto">
      {text
        .trim()
        .split(/\n[\t ]*\n\s*/)
        .map((paragraph, index) => (
          <p key={index}>
            {paragraph.split('\n').map((line, number) => (
              <Fragment key={number}>
                {number > 0 && <br />}
                {renderLine(line, emojiByCode)}
              </Fragment>
            ))}
          </p>
        ))}
    </div>
  )
}

const DISPLAYED_URL_CHARACTERS = 30

/** Returns a URL as the server displays it. */
function shorten(url: string): string {
  const shown = Array.from(url.replace(/^https?:\/\/(?:www\.)?/i, ''))
  const isLong = shown.length > DISPLAYED_URL_CHARACTERS + 1
  return isLong ? `${shown.slice(0, DISPLAYED_URL_CHARACTERS).join('')}…` : shown.join('')
}

function renderLine(line: string, emojis: ReadonlyMap<string, CustomEmoji>): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const entity of extractEntities(line)) {
    const text = line.slice(entity.start, entity.end)
    parts.push(renderEmojis(line.slice(end, entity.start), emojis))
    if (entity.type === 'mention') parts.push(text)
    else {
      const href = entity.type === 'url' ? entity.url : `/tags/${encodeURIComponent(entity.name)}`
      parts.push(
        <a key={entity.start} href={href} target="_blank" rel="noopener nofollow noreferrer">
          {entity.type === 'url' ? shorten(text) : text}
        </a>,
      )
    }
    end = entity.end
  }
  parts.push(renderEmojis(line.slice(end), emojis))
  return parts.map((part, index) => <Fragment key={index}>{part}</Fragment>)
}
