import { Link } from '@tanstack/react-router'
import type { PreviewCard } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import { BlurhashCanvas } from '../media/blurhash-canvas.tsx'
import styles from './link-card.module.css'

/** From this width, a landscape picture is shown in full width. */
const MIN_LARGE_WIDTH = 400

/** The preview of a page to which a status links. */
export function LinkCard({ card }: { card: PreviewCard }) {
  const { url, title, description, image, imageDescription, blurhash, width, height, language, authors } = card
  const isLarge = image !== null && width >= MIN_LARGE_WIDTH && width > height
  const author = authors.find(({ account }) => account)?.account
  const authorName = author ? '' : (authors[0]?.name ?? '') || card.authorName
  return (
    <div className={styles.card}>
      <a
        className={isLarge ? `${styles.link} ${styles.large}` : styles.link}
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        lang={language ?? undefined}
      >
        <span
          className={styles.picture}
          style={isLarge ? { aspectRatio: String(Math.max(width / height, 16 / 9)) } : undefined}
        >
          {image === null ? <Icon name="external" /> : <BlurhashCanvas hash={blurhash} />}
          {image !== null && <img src={image} alt={imageDescription} loading="lazy" decoding="async" />}
          {card.type === 'video' && (
            <span className={styles.play}>
              <Icon name="play" />
            </span>
          )}
        </span>
        <span className={styles.text}>
          <span className={styles.provider}>{card.providerName || new URL(url).hostname}</span>
          <strong className={styles.title} dir="auto">
            {title || url}
          </strong>
          {description !== '' && (
            <span className={styles.description} dir="auto">
              {description}
            </span>
          )}
          {authorName !== '' && (
            <span className={styles.provider}>{message('web.card.author', { name: authorName })}</span>
          )}
        </span>
      </a>
      {author && (
        <Link to="/@{$acct}" params={{ acct: author.acct }} className={styles.author}>
          <Avatar account={author} size="s" />
          <span>
            {message('web.card.more-from')} <DisplayName account={author} />
          </span>
        </Link>
      )}
    </div>
  )
}
