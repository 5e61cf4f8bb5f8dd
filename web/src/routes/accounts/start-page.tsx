import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { message } from '../../lib/i18n/messages.ts'
import { ownAccountQuery } from '../../features/accounts/own/own-account.ts'
import { Loaded } from '../../features/setup/loaded.tsx'
import { readFinishedSteps, stepsOf } from '../../features/setup/setup-steps.ts'
import { SetupWizard } from '../../features/setup/setup-wizard.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'

/** The wizard. Without a step in the URL it goes on where the user left it. */
export function StartPage() {
  const { step } = useSearch({ from: '/start' })
  const navigate = useNavigate()
  const account = useQuery(ownAccountQuery)
  const finished = useQuery({ queryKey: ['finished-steps'], queryFn: readFinishedSteps, gcTime: 0 })
  return (
    <>
      <PageHead title={message('web.setup.title')}>
        <Link to="/home" className="button button-line button-small">
          {message('web.setup.later')}
        </Link>
      </PageHead>
      <Loaded query={finished}>
        {(done) => (
          <Loaded query={account}>
            {(own) => {
              const steps = stepsOf(own)
              const first = steps.find((one) => !done.includes(one)) ?? steps[0]!
              return (
                <SetupWizard
                  account={own}
                  step={steps.find((one) => one === step) ?? first}
                  onStep={(next) =>
                    void (next ? navigate({ to: '/start', search: { step: next } }) : navigate({ to: '/home' }))
                  }
                />
              )
            }}
          </Loaded>
        )}
      </Loaded>
    </>
  )
}
