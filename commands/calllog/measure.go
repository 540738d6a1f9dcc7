package calllog
