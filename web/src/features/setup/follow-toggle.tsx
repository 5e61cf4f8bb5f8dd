import { useState } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { showToast } from '../../ui/notices/toasts.tsx'

/** Follows what `name` names, and unfollows it again. `change` throws if the server refuses. */
export function FollowToggle({ name, change }: { name: string; change: (follows: boolean) => Promise<unknown> }) {
  const [follows, setFollows] = useState(false)
  const toggle = async () => {
    setFollows(!follows)
    try {
      await change(!follows)
    } catch {
      setFollows(follows)
      showToast({ kind: 'alert', text: message('web.settings.failed') })
    }
  }
  return (
    <button
      type="button"
      className={follows ? 'button button-small' : 'button button-small button-line'}
      aria-pressed={follows}
      aria-label={message('web.setup.follow-name', { name })}
      onClick={() => void toggle()}
    >
      {message(follows ? 'web.setup.following' : 'web.setup.follow')}
    </button>
  )
}
