import type { Technique } from './technique.ts';

/** How intruders come in, run their programs, stay and get credentials. */
export const INTRUSION: readonly Technique[] = [
  {
    id: 'T1566',
    name: 'Phishing',
    stage: 'entry',
    cues: 'phishing, spearphishing, malicious attachment, suspicious attachment, lure document, malicious email, malicious mail',
    scene:
      'Some forty colleagues received the same convincing message within ten minutes; six opened what came with it, and one entered a password.',
    contain:
      'Pull the message from all mailboxes, block its sender and links, and reset the credentials of {user}.',
    eradicate: 'Remove the message and whatever it installed from every mailbox and device that received it.',
  },
  {
    id: 'T1190',
    name: 'Exploit Public-Facing Application',
    stage: 'entry',
    cues: 'exploit vulnerability, exploitation attempt, exploited vulnerability, sql injection, remote code execution, web shell upload, deserialization, path traversal, zero day',
    scene:
      'The logs of {system} show requests that no visitor would send, and shortly after them a process that does not belong there.',
    contain:
      'Take {asset} off the internet or put it behind a rule that blocks the exploit, and keep its logs.',
    eradicate:
      'Patch the flaw, rebuild what was exploited from a known-good source and look for what was left behind.',
  },
  {
    id: 'T1133',
    name: 'External Remote Services',
    stage: 'entry',
    cues: 'vpn login, vpn access, remote access session, rdp internet, external remote, remote maintenance, remote gateway',
    scene:
      'A remote session into {system} has been open since last night; nobody here remembers asking for it.',
    contain:
      'End the remote sessions of {user} and close remote access to {asset} until each one is explained.',
    eradicate: 'Remove remote access that is not needed, and give the rest a second factor.',
  },
  {
    id: 'T1078',
    name: 'Valid Accounts',
    stage: 'entry',
    cues: 'impossible travel, unusual login, unusual sign-in, suspicious login, suspicious sign-in, stolen credential, compromised account, leaked credential, anomalous login, new country, dormant account',
    scene:
      'An account of an administrator who is on leave signed in to {system} from a place where nobody of the team is.',
    contain: 'Disable the account of {user}, end all its sessions and tokens, and check what it did.',
    eradicate: 'Reset every credential that the intruder used or could read, privileged ones first.',
  },
  {
    id: 'T1195',
    name: 'Supply Chain Compromise',
    stage: 'entry',
    cues: 'supply chain, trojanized update, compromised package, malicious package, malicious dependency, compromised update, build compromise',
    scene:
      'A supplier announces that an update of a product used in {system} was manipulated before it was shipped.',
    contain:
      'Stop the affected version from talking to anything, on {asset} and wherever else it is installed.',
    eradicate: 'Replace the manipulated component by a verified one, and all secrets that it could reach.',
  },
  {
    id: 'T1199',
    name: 'Trusted Relationship',
    stage: 'entry',
    cues: 'service provider compromise, supplier account, partner connection, vendor access, msp compromise, third party access',
    scene:
      'The access that a service provider has to {system} was used at a time when none of its people were working.',
    contain: "Cut the provider's access to {asset} until its security team explains it.",
    eradicate: "Issue the provider's access anew, narrower and with a second factor.",
  },
  {
    id: 'T1189',
    name: 'Drive-by Compromise',
    stage: 'entry',
    cues: 'drive-by, watering hole, fake browser update, malicious advertisement, malvertising, compromised website',
    scene:
      'Several browsers offered an urgent update on a site that staff use daily; four people installed it.',
    contain: 'Isolate {asset} and block the site and what it loads.',
    eradicate: 'Remove what the page installed and reset the sessions of that browser.',
  },
  {
    id: 'T1059',
    name: 'Command and Scripting Interpreter',
    stage: 'execution',
    cues: 'powershell, encoded command, script interpreter, malicious script, wscript, cscript, bash reverse shell, cmd.exe spawn, command interpreter, python script executed',
    scene:
      'Monitoring reports that a script interpreter on {system} started from an office document and ran an encoded command.',
    contain: 'Isolate {asset}, end the process and keep the script and the memory.',
    eradicate: 'Remove the scripts and what started them, and allow only signed ones where possible.',
  },
  {
    id: 'T1204',
    name: 'User Execution',
    stage: 'execution',
    cues: 'user opened, user executed, clicked link, enabled macro, ran attachment, double-clicked, paste command, clickfix',
    scene:
      'An employee calls: after following a "repair" instruction on a web page, the screen of the workstation flickered and programs opened by themselves.',
    contain: 'Isolate {asset} and ask {user} without blame what was opened, and when.',
    eradicate: 'Reinstall the device rather than cleaning it, and tell the user what happened.',
  },
  {
    id: 'T1047',
    name: 'Windows Management Instrumentation',
    stage: 'execution',
    cues: 'wmi, wmic, wmiprvse',
    scene:
      'Commands were run on {system} through its management interface, from a machine that manages nothing.',
    contain: 'Isolate {asset} and the machine that gave the commands.',
    eradicate: 'Remove event subscriptions and restrict remote management to administration hosts.',
  },
  {
    id: 'T1053',
    name: 'Scheduled Task/Job',
    stage: 'foothold',
    cues: 'scheduled task, cron job created, schtasks, task scheduler',
    scene:
      'A scheduled task with the name of a Windows component appeared on {system}; it starts a program every night at 03:00.',
    contain: 'Disable the task on {asset}, keep a copy and search all machines for it.',
    eradicate: 'Delete the tasks and what they start on every machine that has them.',
  },
  {
    id: 'T1543',
    name: 'Create or Modify System Process',
    stage: 'foothold',
    cues: 'new service installed, service created, malicious service, systemd unit, launch daemon',
    scene: 'A new service runs on {system} with the highest rights; no change request mentions it.',
    contain: 'Stop the service on {asset} after a memory image was taken.',
    eradicate: 'Remove the service and rebuild machines on which it ran with the highest rights.',
  },
  {
    id: 'T1547',
    name: 'Boot or Logon Autostart Execution',
    stage: 'foothold',
    cues: 'run key, autostart, startup folder, registry persistence, persistence mechanism',
    scene: 'A start-up entry on {system} brings the same unknown program back after each restart.',
    contain: 'Isolate {asset} before it is restarted.',
    eradicate: 'Remove the start-up entries, and check for others that were made at the same time.',
  },
  {
    id: 'T1136',
    name: 'Create Account',
    stage: 'foothold',
    cues: 'new administrator account, account created, rogue account, unauthorized account, new admin user',
    scene:
      'Two new accounts with administrator rights exist on {system}; the service desk did not create them.',
    contain: 'Disable the new accounts and end their sessions, and find out who created them.',
    eradicate:
      'Delete rogue accounts and review every account that was created or raised since the intrusion began.',
  },
  {
    id: 'T1098',
    name: 'Account Manipulation',
    stage: 'foothold',
    cues: 'privilege added, added to group, mfa device registered, new mfa method, permission granted, oauth consent, mailbox rule, role assignment',
    scene: 'A second factor and an additional role were added to an account of {system} during the night.',
    contain: 'Undo the change, end the sessions of {user} and require sign-in with a verified second factor.',
    eradicate: 'Review roles, factors, keys and consents that changed since the intrusion began.',
  },
  {
    id: 'T1505',
    name: 'Server Software Component',
    stage: 'foothold',
    cues: 'web shell, webshell, malicious module, iis module',
    scene:
      'A file that answers to commands lies in the web folder of {system}; its date was changed to look old.',
    contain: 'Take {asset} off the network and copy the file, the logs and the memory first.',
    eradicate: 'Rebuild the server from a known-good source; a web shell seldom is alone.',
  },
  {
    id: 'T1556',
    name: 'Modify Authentication Process',
    stage: 'foothold',
    cues: 'authentication bypass, federation trust added, modified authentication, mfa disabled, conditional access disabled',
    scene:
      'The sign-in policy of {system} was changed: one group of accounts needs no second factor any more.',
    contain: 'Restore the policy, and end all sessions opened since it was changed.',
    eradicate: 'Rebuild trust in the identity system: keys, federation, policies and administrators.',
  },
  {
    id: 'T1068',
    name: 'Exploitation for Privilege Escalation',
    stage: 'foothold',
    cues: 'privilege escalation, local exploit, kernel exploit, elevated privileges',
    scene: 'A normal user process on {system} suddenly runs with the rights of the operating system.',
    contain: 'Isolate {asset} and treat every secret on it as known.',
    eradicate: 'Patch the flaw everywhere, and rebuild the machines on which it was used.',
  },
  {
    id: 'T1562',
    name: 'Impair Defenses',
    stage: 'foothold',
    cues: 'disabled antivirus, edr disabled, tamper protection, logging disabled, security tool stopped, defender disabled, sensor uninstalled, firewall disabled',
    scene: 'The protection agent on {system} and nine other machines has sent nothing for an hour.',
    contain: 'Treat {asset} as compromised, isolate it and bring its protection back from outside.',
    eradicate: 'Reinstall the protection, and find out with which rights it was switched off.',
  },
  {
    id: 'T1055',
    name: 'Process Injection',
    stage: 'execution',
    cues: 'process injection, injected code, hollowed process, reflective loading',
    scene: 'A harmless process on {system} carries foreign code in its memory and talks to the internet.',
    contain: 'Isolate {asset} and take a memory image before anything else.',
    eradicate: 'Rebuild the machine: what runs in memory came from somewhere.',
  },
  {
    id: 'T1003',
    name: 'OS Credential Dumping',
    stage: 'credentials',
    cues: 'credential dump, credential dumping, lsass, mimikatz, ntds.dit, sam hive, dcsync, secretsdump',
    scene: 'On {system} a process read the memory in which sign-in credentials lie.',
    contain:
      'Isolate {asset} and reset every credential that was used on it, beginning with privileged ones.',
    eradicate:
      'Reset all credentials that were in memory, the directory’s master key twice if it was reached.',
  },
  {
    id: 'T1110',
    name: 'Brute Force',
    stage: 'credentials',
    cues: 'brute force, password spray, password spraying, failed login, failed sign-in, credential stuffing, multiple failed',
    scene: 'Thousands of failed sign-ins to {system} in one hour are followed by three that worked.',
    contain: 'Block the sources, lock the accounts that were hit and check {user} for a sign-in that worked.',
    eradicate: 'Reset the passwords that were guessed and require a second factor on this sign-in.',
  },
  {
    id: 'T1621',
    name: 'Multi-Factor Authentication Request Generation',
    stage: 'credentials',
    cues: 'mfa fatigue, push bombing, mfa push, repeated mfa, mfa prompt',
    scene: 'A colleague confirmed a sign-in prompt at night "to make the telephone stop".',
    contain: 'End the sessions of {user}, reset the password and move the account to number matching.',
    eradicate: 'Replace factors that can be pushed by ones that resist phishing.',
  },
  {
    id: 'T1552',
    name: 'Unsecured Credentials',
    stage: 'credentials',
    cues: 'credential in file, access key leaked, secret leaked, hardcoded password, key in repository, password in script, exposed secret',
    scene: 'A key to {system} stood in a place that anybody could read, for at least nine days.',
    contain: 'Deactivate the key at once and search the logs for every use of it.',
    eradicate: 'Replace every secret that was there, and keep secrets in a store instead of files.',
  },
  {
    id: 'T1558',
    name: 'Steal or Forge Kerberos Tickets',
    stage: 'credentials',
    cues: 'kerberoasting, golden ticket, silver ticket, kerberos ticket, as-rep',
    scene: 'One workstation asked for tickets of all service accounts of {system} within seconds.',
    contain: 'Isolate {asset} and change the passwords of the service accounts that were asked for.',
    eradicate: 'Give service accounts long random passwords; reset the ticket key twice if it was stolen.',
  },
  {
    id: 'T1539',
    name: 'Steal Web Session Cookie',
    stage: 'credentials',
    cues: 'session cookie, stolen cookie, adversary-in-the-middle, token theft, stolen token, session hijack, infostealer',
    scene:
      'A session of a finance colleague in {system} goes on from a second country, without any sign-in there.',
    contain: 'End all sessions of {user} and require a new sign-in from a known device.',
    eradicate: 'Bind sessions to devices and clean the machine from which the cookie was taken.',
  },
];
