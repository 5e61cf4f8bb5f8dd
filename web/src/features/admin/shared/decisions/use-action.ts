import { useQueryClient } from '@tanstack/react-query'
import { runOrReport, showDecision } from './undo.ts'

/** An action of the staff. */
export interface Action {
  run(): Promise<unknown>
  /** What is shown above the page after it. */
  done: string
  /** Takes it back. Without it, the action is final. */
  undo?: (() => Promise<unknown>) | undefined
  /** Called between the action and the refresh of the lists, for example to move the focus. */
  after?: (() => void) | undefined
}

/** Returns a function that runs an action, shows what was done, and loads the lists again. It returns whether it succeeded. */
export function useAction(): (action: Action) => Promise<boolean> {
  const queryClient = useQueryClient()
  const refresh = async () => queryClient.invalidateQueries({ queryKey: ['admin'] })
  return ({ run, done, undo, after }) =>
    runOrReport(async () => {
      await run()
      after?.()
      showDecision({ text: done, undo: undo ? () => undo().then(refresh) : null })
      await refresh()
    })
}
