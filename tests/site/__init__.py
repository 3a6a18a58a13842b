"""The documents as a reader has them: pages whose links hold, and commands that work when they are typed."""
