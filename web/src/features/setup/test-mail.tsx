import { useMutation } from '@tanstack/react-query'
import { adminApi } from '../../lib/api/admin-api.ts'
import { reasonOf } from '../../lib/api/reason-of.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { SteadyButton } from '../../ui/forms/steady-button.tsx'
import styles from './setup-wizard.module.css'

/** Sends a mail to the user, so that they see whether the mails of the server arrive. */
export function TestMail() {
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: () => adminApi('mails', 'test').create() })
  return (
    <>
      <p>{message('web.setup.mail.text')}</p>
      <p>
        <SteadyButton className="button button-line" isUnusable={isPending} onClick={() => mutate()}>
          <Icon name="mail" />
          {message('web.setup.mail.send')}
        </SteadyButton>
      </p>
      <div role="status">
        {isPending && <p>{message('web.loading')}</p>}
        {isSuccess && <p className={styles.good}>{message('web.setup.mail.sent')}</p>}
        {error && (
          <>
            <p className={styles.error}>{reasonOf(error, message('web.setup.mail.failed'))}</p>
            <p>{message('web.setup.mail.help', { setting: 'SMTP_SERVER', path: '/dev/mail' })}</p>
          </>
        )}
      </div>
    </>
  )
}
