import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/session.ts'
import { message } from '../../lib/i18n/messages.ts'
import { TextField } from '../../ui/forms/form-fields.tsx'
import { Icon } from '../../ui/icons/icon.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { StatusSkeletons } from '../statuses/card/status-skeleton.tsx'
import { FollowToggle } from './follow-toggle.tsx'
import { Loaded } from './loaded.tsx'
import { REFUSED, StepForm } from './step-form.tsx'
import type { StepProps } from './step-form.tsx'
import styles from './setup-wizard.module.css'

const trendingTagsQuery = {
  queryKey: ['trending-tags'],
  queryFn: async () => (await api().v1.trends.tags.list({ limit: 10 })).map(({ name }) => name),
  staleTime: Infinity,
}

/** Hashtags that the user may want to follow: those that trend, and any other. */
export function TagsStep({ onDone, onBack }: StepProps) {
  const query = useQuery(trendingTagsQuery)
  const [text, setText] = useState('')
  const [followed, setFollowed] = useState<readonly string[]>([])
  const follow = async () => {
    const tag = text.trim().replace(/^#/, '')
    if (tag === '') return undefined
    try {
      const { name } = await api().v1.tags.$select(encodeURIComponent(tag)).follow()
      setFollowed([...followed.filter((one) => one !== name), name])
      setText('')
      return undefined
    } catch {
      showToast({ kind: 'alert', text: message('web.settings.failed') })
      return REFUSED
    }
  }
  // The field and the buttons appear below the hashtags, so that they do not move when the hashtags arrive.
  if (query.isPending) return <StatusSkeletons count={2} />
  return (
    <StepForm onDone={onDone} onBack={onBack} canSkip={false} save={follow} submit={message('web.setup.finish')}>
      <p>{message('web.setup.tags.text')}</p>
      <Loaded query={query}>
        {(tags) =>
          tags.length > 0 && (
            <ul className={styles.list}>
              {tags.map((tag) => (
                <li key={tag}>
                  <strong className={styles.grow}>#{tag}</strong>
                  <FollowToggle
                    name={`#${tag}`}
                    change={(follows) => {
                      const selected = api().v1.tags.$select(encodeURIComponent(tag))
                      return follows ? selected.follow() : selected.unfollow()
                    }}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <div className={styles.adder}>
        <TextField label={message('web.setup.tags.other')} value={text} onChange={setText} />
        <button type="button" className="button button-line" onClick={() => void follow()}>
          <Icon name="plus" />
          {message('web.setup.follow')}
        </button>
      </div>
      <p role="status">
        {followed.length > 0 &&
          message('web.setup.tags.followed', { tags: followed.map((tag) => `#${tag}`).join(' ') })}
      </p>
    </StepForm>
  )
}
