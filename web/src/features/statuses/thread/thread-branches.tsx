import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useEntity } from '../../../lib/store/use-entity.ts'
import { useRememberedState } from '../../../lib/store/use-remembered-state.ts'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import { StatusCard } from '../card/status-card.tsx'
import { statusStore } from '../status-store.ts'
import type { ThreadBranch, ThreadPost } from './thread-tree.ts'
import styles from './thread.module.css'

/** Replies as a tree. Each branch below a reply can be folded. */
export function ThreadBranches({ branches }: { branches: readonly ThreadBranch[] }) {
  return (
    <ul>
      {branches.map(({ posts }) => (
        <li key={posts[0]?.id}>
          {posts.map((post, index) => (
            <Post key={post.id} post={post} isContinued={index < posts.length - 1} />
          ))}
        </li>
      ))}
    </ul>
  )
}

function Post({ post, isContinued }: { post: ThreadPost; isContinued: boolean }) {
  return (
    <div className={isContinued ? styles.chained : undefined}>
      <StatusCard id={post.id} showsReply={false} />
      {post.branches.length > 0 ? <Replies post={post} /> : post.repliesCount > 0 && <Continue post={post} />}
    </div>
  )
}

function Replies({ post: { id, branches, repliesCount } }: { post: ThreadPost }) {
  const [isOpen, setIsOpen] = useRememberedState(`branch-${id}`, true)
  const listId = useId()
  return (
    <div className={styles.branch}>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'minus' : 'plus'} />
        {message('web.thread.replies', { number: repliesCount, count: formatNumber(repliesCount) })}
      </button>
      <div id={listId} hidden={!isOpen}>
        {isOpen && <ThreadBranches branches={branches} />}
      </div>
    </div>
  )
}

/** A link to the page of a reply whose own replies are too deep for this one. */
function Continue({ post: { id, repliesCount } }: { post: ThreadPost }) {
  const status = useEntity(statusStore, id)
  if (!status) return null
  return (
    <p className={styles.continue}>
      <Link to="/@{$acct}/$id" params={{ acct: status.account.acct, id }}>
        {message('web.thread.continue', { number: repliesCount, count: formatNumber(repliesCount) })}
      </Link>
    </p>
  )
}
