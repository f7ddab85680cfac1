/** Names that are also ordinary words: they count only where the text speaks of techniques. */
export const ORDINARY_TECHNIQUES = (
  'at, cron, python, javascript, lua, trap, dns, ssh, vnc, proxy, mmc, dll, ntds, whois, add-ins, keychain, compression, ' +
  'screensaver, confluence, sharepoint, databases, impersonation, masquerading, rootkit, visual basic, ' +
  'applescript, unix shell, cloud api, control panel, hidden users, system checks, messaging applications, ' +
  'code repositories, chat messages, private keys, password managers, multi-factor authentication, code signing, ' +
  'browser extensions, ide extensions, software extensions, local groups, domain groups, cloud groups, default accounts, ' +
  'domain accounts, domain account, local accounts, local account, cloud accounts, cloud account, email account, cloud services, remote services, ' +
  'web service, native api, windows service, systemd service, launch agent, launch daemon, data encoding, system services, ' +
  'device registration, power settings, login items, startup items, outlook rules, outlook forms, installer packages, ' +
  'standard encoding, symmetric cryptography, asymmetric cryptography, encrypted channel, web protocols, mail protocols, ' +
  'shared modules, hybrid identity, time providers, print processors, port monitors, shell history, container service, ' +
  'container api, container cli/api, hypervisor cli, user execution, trusted relationship, network devices, service stop, ' +
  'service execution, hidden window, electron applications, system firmware, component firmware, active setup, ' +
  'authentication package, iis components, transport agent, extended attributes, template injection, create account, ' +
  'account discovery, software discovery, process discovery, office test, junk data, browser fingerprint, rc scripts, ' +
  'login hook, scheduled transfer, data staged, system shutdown/reboot, stage capabilities, wi-fi networks, ' +
  'accessibility features, log enumeration, fallback channels, dynamic resolution, graphical user interface, ' +
  'command-line interface, scripting, hooking, loss of control, loss of view, loss of availability, loss of protection, ' +
  'loss of safety, program download, program upload, denial of service, connection proxy, data destruction, ' +
  'software, hardware, firmware, credentials, internet connection discovery, cloud infrastructure discovery, ' +
  'remote system discovery, system information discovery'
).split(', ');
