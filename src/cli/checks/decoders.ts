import { canCutNetwork } from '../../platform/media/confine.ts'
import { care, fine } from './finding.ts'
import type { Finding } from './finding.ts'

/** How well the programs that read uploads and remote media are locked in. */
export async function checkDecoders(): Promise<Finding[]> {
  return [await checkNetwork(), ...checkUser()]
}

async function checkNetwork(): Promise<Finding> {
  if (await canCutNetwork()) return fine('the programs that decode media run without network access')
  const text = 'the programs that decode media keep network access: user and network namespaces are unavailable here'
  if (process.platform !== 'linux') return care(text, 'only Linux has namespaces: run Linnet there to be safe')
  return care(
    text,
    'install util-linux and allow unshare: sysctl user.max_user_namespaces above 0, ' +
      'kernel.apparmor_restrict_unprivileged_userns=0, or the seccomp profile of the container; ' +
      'else let a firewall keep the user of Linnet out of your own network',
  )
}

function checkUser(): Finding[] {
  if (process.getuid?.() !== 0) return []
  return [care('the programs that decode media run as root, as the server does', 'start Linnet as an ordinary user')]
}
