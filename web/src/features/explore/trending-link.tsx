import { Link } from '@tanstack/react-router'
import type { TrendsLink } from '../../lib/api/entities.ts'
import { message } from '../../lib/i18n/messages.ts'
import { recentUsageOf } from '../tags/usage.ts'
import styles from './trending-link.module.css'

/** A link that many users post: its page, and the posts about it. */
export function TrendingLink({ link }: { link: TrendsLink }) {
  const { url, title, providerName, image, imageDescription, language, history } = link
  return (
    <li className={styles.link}>
      <div className={styles.text}>
        <span className={styles.provider}>{providerName || new URL(url).hostname}</span>
        <a
          className={styles.title}
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          lang={language ?? undefined}
          dir="auto"
        >
          {title || url}
        </a>
        <Link to="/links/$url" params={{ url }} className={styles.posts}>
          {message('web.explore.link-use', { count: recentUsageOf(history).people })}
        </Link>
      </div>
      {image && <img className={styles.image} src={image} alt={imageDescription} loading="lazy" decoding="async" />}
    </li>
  )
}
