import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { message } from '../../lib/i18n/messages.ts'
import { Checkbox, Choice } from '../../ui/forms/form-fields.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { SteadyButton } from '../../ui/forms/steady-button.tsx'
import {
  ALERTS,
  changePushPreferences,
  fetchPushPreferences,
  PUSH_POLICIES,
  PushForbiddenError,
  subscribeToPush,
  supportsPush,
  unsubscribeFromPush,
} from '../offline/push-subscription.ts'
import type { PushPreferences } from '../offline/push-subscription.ts'
import { StatusSkeletons } from '../statuses/card/status-skeleton.tsx'
import { reportSaved } from './change-setting.ts'
import { SettingGroup } from './setting-group.tsx'
import styles from './settings-page.module.css'

const QUERY_KEY = ['push']
const INITIAL: PushPreferences = {
  alerts: Object.fromEntries(ALERTS.map((alert) => [alert, true])),
  policy: 'all',
}

/** Whether this browser shows notifications while the client is closed, and which. */
export function NotificationsSection() {
  if (!supportsPush()) return <Notice icon="bell" title={message('web.settings.push.unsupported')} />
  return <PushSettings />
}

function PushSettings() {
  const queries = useQueryClient()
  const {
    data: preferences,
    isPending,
    isError,
    refetch,
  } = useQuery({ queryKey: QUERY_KEY, queryFn: fetchPushPreferences })
  const { mutate, isPending: isSaving } = useMutation({
    mutationFn: async (next: PushPreferences | null) => {
      if (next === null) return unsubscribeFromPush()
      return preferences ? changePushPreferences(next) : subscribeToPush(next)
    },
    // A changed box shows at once. Turning on waits for the browser.
    onMutate: (next) => {
      if (next && preferences) queries.setQueryData(QUERY_KEY, next)
      return preferences
    },
    onSuccess: (saved) => queries.setQueryData(QUERY_KEY, saved),
    onError: (error, _next, before) => {
      queries.setQueryData(QUERY_KEY, before)
      showToast({
        kind: 'alert',
        text: message(error instanceof PushForbiddenError ? 'web.settings.push.forbidden' : 'web.settings.failed'),
      })
    },
  })
  if (isError)
    return (
      <Notice icon="warning" title={message('web.failed')} role="alert">
        <button type="button" className="button" onClick={() => void refetch()}>
          {message('web.retry')}
        </button>
      </Notice>
    )
  if (isPending) return <StatusSkeletons count={2} />
  const change = (next: PushPreferences) =>
    mutate(next, { onSuccess: () => reportSaved(() => preferences && mutate(preferences)) })
  return (
    <div className={styles.page}>
      <SettingGroup title={message('web.settings.push')} note={message('web.settings.push.text')}>
        <p>
          <SteadyButton
            className={preferences ? 'button button-line' : 'button'}
            isUnusable={isSaving}
            onClick={() => mutate(preferences ? null : INITIAL)}
          >
            {message(preferences ? 'web.settings.push.turn-off' : 'web.settings.push.turn-on')}
          </SteadyButton>
        </p>
      </SettingGroup>
      {preferences && (
        <>
          <SettingGroup title={message('web.settings.push.alerts')}>
            <div>
              {ALERTS.map((alert) => (
                <Checkbox
                  key={alert}
                  label={message(`web.push.alert.${alert}`)}
                  isChecked={preferences.alerts[alert] ?? false}
                  onChange={(isOn) => change({ ...preferences, alerts: { ...preferences.alerts, [alert]: isOn } })}
                />
              ))}
            </div>
          </SettingGroup>
          <SettingGroup title={message('web.settings.push.policy')}>
            <Choice
              label={message('web.settings.push.from')}
              value={preferences.policy}
              options={PUSH_POLICIES.map((value) => ({ value, label: message(`web.push.policy.${value}`) }))}
              onChange={(policy) => change({ ...preferences, policy })}
            />
          </SettingGroup>
        </>
      )}
    </div>
  )
}
